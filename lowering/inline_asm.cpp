// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See inline_asm.h.
#include "lowering/inline_asm.h"

#include "lowering/place_table.h"
#include "lowering/target.h"
#include "support/match.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

namespace mirgpu::lowering {

namespace {

/// One assembly on its way to LLVM: what each operand of the template is called there, and the
/// call's operands, results and constraints.
class AsmBuilder {
public:
  AsmBuilder(FunctionContext &fc, const mir::InlineAsm &assembly)
      : fc_(fc), asm_(assembly), operands_(assembly.operands.size()) {}

  /// Makes the call and ends the block.
  void run();

private:
  struct Output {
    std::optional<Destination> dest; ///< none: the value is dropped
    llvm::Type *type;                ///< of the value
    llvm::Type *registerType;        ///< as wide as the register
  };
  enum class Role : uint8_t { None, Output, Input, Label };
  struct AsmOperand {
    Role role = Role::None;
    unsigned index = 0; ///< among those of its role
  };

  bool has(std::string_view option) const { return llvm::is_contained(asm_.options, option); }
  std::string targetName() const { return "`" + fc_.mc.target.spec().name + "`"; }
  void refuse(const std::string &why, const std::string &help);

  void addOutputs();
  void addInputs();
  void addOutput(size_t operand, mir::Str regClass, bool isLate, mir::TypeId ty,
                 std::optional<Destination> dest);
  void addClobber(size_t operand, mir::Str regClass, bool isLate);
  void addInput(size_t operand, mir::Str regClass, const mir::Operand &value, bool isTied);
  void addSymbol(size_t operand, llvm::Value *symbol);
  void addLabel(size_t operand, uint32_t target);
  std::optional<AsmRegister> registerFor(mir::Str regClass, mir::TypeId ty);
  llvm::Type *widened(llvm::Type *type, const AsmRegister &reg) const;

  std::string text() const;
  std::string placeholder(const mir::AsmPieceOperand &piece) const;
  std::string constraints() const;
  llvm::FunctionType *type() const;
  llvm::CallBase *call(llvm::BasicBlock *next);
  void addAttributes(llvm::CallBase &call) const;
  llvm::ConstantInt *sourceCookie() const;
  void storeOutputs(llvm::Value *results);

  FunctionContext &fc_;
  const mir::InlineAsm &asm_;
  std::vector<AsmOperand> operands_;
  std::vector<std::string> outputConstraints_, inputConstraints_, clobbers_;
  std::vector<Output> outputs_;
  std::vector<llvm::Value *> inputs_;
  std::vector<llvm::BasicBlock *> labels_;
  bool isRefused_ = false;
};

void AsmBuilder::refuse(const std::string &why, const std::string &help) {
  if (!isRefused_)
    fc_.error("MG0105", why).help.push_back(help);
  isRefused_ = true;
}

constexpr const char *kKeepToHost = "put assembly with the host's registers behind "
                                    "`if target::IS_HOST`";

/// The register of an operand; none, with a diagnostic, for what does not fit one.
std::optional<AsmRegister> AsmBuilder::registerFor(mir::Str regClass, mir::TypeId ty) {
  const mir::Type &type = fc_.type(ty);
  std::optional<AsmRegister> reg;
  if (const auto *repr = std::get_if<mir::ReprScalar>(&type.repr))
    reg = fc_.mc.target.asmRegister(
        regClass, {repr->scalar.primitive == mir::Primitive::Float, repr->scalar.bits});
  if (!reg)
    refuse(targetName() + " has no register `" + std::string(regClass) + "` for a `" +
               std::string(type.name) + "`",
           kKeepToHost);
  return reg;
}

llvm::Type *AsmBuilder::widened(llvm::Type *type, const AsmRegister &reg) const {
  const bool isNarrow = type->isIntegerTy() && type->getIntegerBitWidth() < reg.bits;
  return isNarrow ? fc_.builder.getIntNTy(reg.bits) : type;
}

void AsmBuilder::addOutput(size_t operand, mir::Str regClass, bool isLate, mir::TypeId ty,
                           std::optional<Destination> dest) {
  std::optional<AsmRegister> reg = registerFor(regClass, ty);
  if (!reg)
    return;
  llvm::Type *type = fc_.mc.immediateType(ty);
  operands_[operand] = {Role::Output, static_cast<unsigned>(outputs_.size())};
  outputs_.push_back({std::move(dest), type, widened(type, *reg)});
  outputConstraints_.push_back((isLate ? "=" : "=&") + reg->constraint);
}

/// `out(…) _`: a register of the host that the assembly overwrites, or any of a class.
void AsmBuilder::addClobber(size_t operand, mir::Str regClass, bool isLate) {
  const AsmScalar word{false, regClass == "reg_byte" ? 8u : 32u};
  std::optional<AsmRegister> reg = fc_.mc.target.asmRegister(regClass, word);
  if (!reg || !fc_.mc.target.hasAsmSymbols())
    return refuse("for " + targetName() + " an output `_` says nothing: it has no type, and `" +
                      std::string(regClass) + "` is the host's",
                  "give the output a variable");
  if (llvm::StringRef(reg->constraint).starts_with("{")) {
    clobbers_.push_back("~" + reg->constraint);
    return;
  }
  llvm::Type *type = fc_.builder.getIntNTy(word.bits);
  operands_[operand] = {Role::Output, static_cast<unsigned>(outputs_.size())};
  outputs_.push_back({std::nullopt, type, type});
  outputConstraints_.push_back((isLate ? "=" : "=&") + reg->constraint);
}

void AsmBuilder::addInput(size_t operand, mir::Str regClass, const mir::Operand &value,
                          bool isTied) {
  const OperandValue input = lowerOperand(fc_, value);
  std::optional<AsmRegister> reg = registerFor(regClass, input.ty);
  if (!reg)
    return;
  llvm::Type *wide = widened(input.imm()->getType(), *reg);
  llvm::Value *bits = input.imm();
  if (wide != bits->getType())
    bits = fc_.builder.CreateZExt(bits, wide);
  inputConstraints_.push_back(isTied ? std::to_string(operands_[operand].index) : reg->constraint);
  if (!isTied)
    operands_[operand] = {Role::Input, static_cast<unsigned>(inputs_.size())};
  inputs_.push_back(bits);
}

void AsmBuilder::addSymbol(size_t operand, llvm::Value *symbol) {
  if (!fc_.mc.target.hasAsmSymbols())
    return refuse("assembly for " + targetName() + " cannot name a symbol",
                  "pass its address as an operand");
  operands_[operand] = {Role::Input, static_cast<unsigned>(inputs_.size())};
  inputs_.push_back(symbol);
  inputConstraints_.emplace_back("s");
}

void AsmBuilder::addLabel(size_t operand, uint32_t target) {
  if (!fc_.mc.target.hasAsmSymbols())
    return refuse("assembly for " + targetName() + " cannot jump to a label of Rust's",
                  "write what it finds to an output, and branch on that");
  operands_[operand] = {Role::Label, static_cast<unsigned>(labels_.size())};
  labels_.push_back(fc_.blockFor(asm_.targets[target]));
}

void AsmBuilder::addOutputs() {
  for (size_t i = 0; i < asm_.operands.size(); ++i) {
    if (const auto *out = std::get_if<mir::AsmOut>(&asm_.operands[i])) {
      if (!out->place)
        addClobber(i, out->regClass, out->late);
      else
        addOutput(i, out->regClass, out->late, fc_.typeOf(*out->place),
                  lowerDestination(fc_, *out->place));
    } else if (const auto *both = std::get_if<mir::AsmInOut>(&asm_.operands[i])) {
      std::optional<Destination> dest;
      if (both->out)
        dest = lowerDestination(fc_, *both->out);
      addOutput(i, both->regClass, both->late, fc_.typeOf(both->in), std::move(dest));
    }
  }
}

void AsmBuilder::addInputs() {
  for (size_t i = 0; i < asm_.operands.size(); ++i)
    match(
        asm_.operands[i],
        [&](const mir::AsmIn &in) { addInput(i, in.regClass, in.value, /*isTied=*/false); },
        [&](const mir::AsmInOut &both) { addInput(i, both.regClass, both.in, /*isTied=*/true); },
        [&](const mir::AsmSymFn &symbol) { addSymbol(i, fc_.functionFor(symbol.function)); },
        [&](const mir::AsmSymStatic &symbol) { addSymbol(i, fc_.mc.staticGlobal(symbol.target)); },
        [&](const mir::AsmLabel &label) { addLabel(i, label.target); }, [](const mir::AsmOut &) {},
        [](const mir::AsmConst &) {});
}

/// A constant of the template, as rustc writes it.
std::string constantText(FunctionContext &fc, const mir::Constant &constant) {
  const OperandValue value = lowerConstant(fc, constant);
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(value.imm());
  if (!number)
    return "0"; // a diagnostic's poison
  const auto *type = std::get_if<mir::TyInt>(&fc.type(constant.ty).kind);
  return llvm::toString(number->getValue(), 10, type && type->isSigned);
}

std::string AsmBuilder::placeholder(const mir::AsmPieceOperand &piece) const {
  const mir::AsmOperand &operand = asm_.operands[piece.operand];
  if (const auto *constant = std::get_if<mir::AsmConst>(&operand))
    return constantText(fc_, constant->value);
  const auto [role, index] = operands_[piece.operand];
  const size_t inputs = outputs_.size(), labels = inputs + inputs_.size();
  const std::string number = std::to_string(index + (role == Role::Input   ? inputs
                                                     : role == Role::Label ? labels
                                                                           : 0));
  if (role == Role::Label)
    return "${" + number + ":l}";
  auto classOf = [&]() -> mir::Str {
    if (const auto *in = std::get_if<mir::AsmIn>(&operand))
      return in->regClass;
    if (const auto *out = std::get_if<mir::AsmOut>(&operand))
      return out->regClass;
    if (const auto *both = std::get_if<mir::AsmInOut>(&operand))
      return both->regClass;
    return {};
  };
  const mir::Str regClass = classOf();
  // A symbol stands as its bare name.
  const std::string modifier =
      regClass.empty() ? "c" : fc_.mc.target.asmModifier(regClass, piece.modifier);
  return modifier.empty() ? "${" + number + "}" : "${" + number + ":" + modifier + "}";
}

std::string AsmBuilder::text() const {
  std::string text;
  for (const mir::AsmPiece &piece : asm_.pieces)
    match(
        piece,
        [&](const mir::AsmPieceText &literal) {
          for (char c : literal.text)
            text += c == '$' ? std::string("$$") : std::string(1, c);
        },
        [&](const mir::AsmPieceOperand &operand) { text += placeholder(operand); });
  return text;
}

std::string AsmBuilder::constraints() const {
  std::vector<std::string> all = outputConstraints_;
  all.insert(all.end(), inputConstraints_.begin(), inputConstraints_.end());
  all.insert(all.end(), labels_.size(), "!i");
  all.insert(all.end(), clobbers_.begin(), clobbers_.end());
  if (std::string flags = fc_.mc.target.asmFlags(); !flags.empty() && !has("preserves_flags"))
    all.push_back(flags);
  if (!has("nomem"))
    all.emplace_back("~{memory}");
  return llvm::join(all, ",");
}

llvm::FunctionType *AsmBuilder::type() const {
  std::vector<llvm::Type *> results, params;
  for (const Output &output : outputs_)
    results.push_back(output.registerType);
  for (llvm::Value *input : inputs_)
    params.push_back(input->getType());
  llvm::Type *result = results.empty()       ? fc_.builder.getVoidTy()
                       : results.size() == 1 ? results.front()
                                             : llvm::StructType::get(fc_.mc.context, results);
  return llvm::FunctionType::get(result, params, /*isVarArg=*/false);
}

void AsmBuilder::addAttributes(llvm::CallBase &call) const {
  call.addFnAttr(llvm::Attribute::Convergent);
  call.addFnAttr(llvm::Attribute::NoUnwind);
  if (has("pure")) {
    call.setMemoryEffects(has("nomem") ? llvm::MemoryEffects::none()
                                       : llvm::MemoryEffects::readOnly());
    call.addFnAttr(llvm::Attribute::WillReturn);
  } else if (has("nomem")) {
    call.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  } else if (has("readonly")) {
    call.setMemoryEffects(llvm::MemoryEffects::readOnly() |
                          llvm::MemoryEffects::inaccessibleMemOnly());
  }
  call.setMetadata(
      "srcloc", llvm::MDNode::get(fc_.mc.context, llvm::ConstantAsMetadata::get(sourceCookie())));
}

/// What LLVM gives back with an error of its assembler: an index into the module's table of places.
llvm::ConstantInt *AsmBuilder::sourceCookie() const {
  const PlaceEntry place =
      placeEntry(fc_.program, mgpu::PlaceKind::Collective, fc_.span, fc_.function, "asm!");
  llvm::NamedMDNode *table = fc_.mc.module.getOrInsertNamedMetadata(kAsmPlaces);
  table->addOperand(llvm::MDNode::get(
      fc_.mc.context,
      llvm::MDString::get(fc_.mc.context, place.file + ":" + std::to_string(place.line) + ":" +
                                              std::to_string(place.column))));
  return fc_.builder.getInt64(table->getNumOperands());
}

llvm::CallBase *AsmBuilder::call(llvm::BasicBlock *next) {
  llvm::FunctionType *functionType = type();
  const bool isIntel = fc_.mc.target.isIntelAsm() && !has("att_syntax");
  llvm::InlineAsm *code =
      llvm::InlineAsm::get(functionType, text(), constraints(), /*hasSideEffects=*/!has("pure"),
                           /*isAlignStack=*/!has("nostack") && fc_.mc.target.hasAsmSymbols(),
                           isIntel ? llvm::InlineAsm::AD_Intel : llvm::InlineAsm::AD_ATT);
  if (labels_.empty())
    return fc_.builder.CreateCall(functionType, code, inputs_);
  return fc_.builder.CreateCallBr(functionType, code, next, labels_, inputs_);
}

void AsmBuilder::storeOutputs(llvm::Value *results) {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Output &output = outputs_[i];
    if (!output.dest)
      continue;
    llvm::Value *bits = outputs_.size() == 1
                            ? results
                            : fc_.builder.CreateExtractValue(results, static_cast<unsigned>(i));
    if (output.type != output.registerType)
      bits = fc_.builder.CreateTrunc(bits, output.type);
    storeTo(fc_, *output.dest, OperandValue::immediate(output.dest->ty, bits));
  }
}

void AsmBuilder::run() {
  addOutputs();
  addInputs();
  if (!labels_.empty() && !outputs_.empty())
    refuse("assembly with both outputs and labels is not supported in kernels",
           "write what it finds to an output, and branch on that");
  // Without `noreturn` the first target is where the assembly falls through to.
  const bool returns = !has("noreturn");
  llvm::BasicBlock *next = fc_.newBlock(returns ? "asm.next" : "asm.end");
  if (isRefused_) {
    fc_.builder.CreateBr(next);
    fc_.builder.SetInsertPoint(next);
    for (const Output &output : outputs_)
      if (output.dest)
        storeTo(fc_, *output.dest, poisonOperand(fc_, output.dest->ty));
  } else {
    llvm::CallBase *results = call(next);
    addAttributes(*results);
    if (labels_.empty())
      fc_.builder.CreateBr(next);
    fc_.builder.SetInsertPoint(next);
    storeOutputs(results);
  }
  if (returns)
    fc_.builder.CreateBr(fc_.blockFor(asm_.targets.front()));
  else
    fc_.builder.CreateUnreachable();
}

} // namespace

void lowerInlineAsm(FunctionContext &fc, const mir::InlineAsm &assembly) {
  AsmBuilder(fc, assembly).run();
}

} // namespace mirgpu::lowering
