// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See core_intrinsic_signatures.h. A signature is the result and then the arguments, a letter each;
// digits after a `/` are the number of constants among the generic arguments. Letters:
//   T      a value of the first type argument
//   I F N A that, and it is an integer; a float; an integer or pointer; any scalar
//   B      that, and it is an integer or bool
//   J      the second type argument, an integer; K: as wide as the first
//   E      a float of the width in the intrinsic's name
//   p r Q  an address, thin; of a sized type; of the first type argument, with its metadata
//   z o 4  an integer of 64, 8, 32 bits
//   k b u  any integer; bool; ()
//   O C    (I, bool); (A, bool)
//   f *    a function pointer; any sized value
//   !      no result
//   @      at the end: the handler asks for the first type argument, which must be sized
#include "lowering/core_intrinsic_signatures.h"

#include "mir_reader/verify_shape.h"

#include "llvm/ADT/StringExtras.h"

namespace mirgpu::lowering {

namespace {
struct Signature {
  std::string_view names; ///< separated by spaces
  std::string_view letters;
};
} // namespace

static constexpr Signature kSignatures[] = {
    // integers
    {"bswap bitreverse", "II"},
    {"ctpop ctlz ctlz_nonzero cttz cttz_nonzero", "4I"},
    {"rotate_left rotate_right", "II4"},
    {"unchecked_funnel_shl unchecked_funnel_shr", "III4"},
    {"saturating_add saturating_sub exact_div wrapping_add wrapping_sub "
     "wrapping_mul unchecked_add unchecked_sub unchecked_mul unchecked_div unchecked_rem",
     "III"},
    {"disjoint_bitor", "BBB"},
    {"unchecked_shl unchecked_shr", "IIJ"},
    {"add_with_overflow sub_with_overflow mul_with_overflow", "OII"},
    {"three_way_compare", "oNN"},
    // floats
    {"fabs", "FF"},
    {"float_to_int_unchecked", "JF"},
    {"fadd_fast fsub_fast fmul_fast fdiv_fast frem_fast fadd_algebraic fsub_algebraic "
     "fmul_algebraic fdiv_algebraic frem_algebraic",
     "FFF"},
    // memory
    {"copy copy_nonoverlapping volatile_copy_memory volatile_copy_nonoverlapping_memory", "uppz@"},
    {"write_bytes volatile_set_memory", "upoz@"},
    {"volatile_load unaligned_volatile_load read_via_copy", "Tp"},
    {"volatile_store unaligned_volatile_store nontemporal_store write_via_move", "upT"},
    {"compare_bytes", "4ppz"},
    {"raw_eq", "bpp@"},
    // pointers
    {"arith_offset", "ppz@"},
    {"offset", "prz"},
    {"ptr_offset_from ptr_offset_from_unsigned", "zpp@"},
    {"ptr_mask", "ppz"},
    {"vtable_size vtable_align", "zp"},
    // atomics
    {"atomic_load", "Ap/1"},
    {"atomic_store", "upA/1"},
    {"atomic_xchg", "ApA/1"},
    {"atomic_xadd atomic_xsub atomic_and atomic_nand atomic_or atomic_xor", "NpK/1"},
    {"atomic_max atomic_min atomic_umax atomic_umin", "IpI/1"},
    {"atomic_cxchg atomic_cxchgweak", "CpNN/2"},
    {"atomic_fence atomic_singlethreadfence", "u/1"},
    // types, values, control
    {"size_of_val align_of_val", "zQ"},
    {"size_of align_of", "z@"},
    {"discriminant_value", "kr"},
    {"assert_inhabited assert_zero_valid assert_mem_uninitialized_valid", "u@"},
    {"transmute transmute_unchecked", "**"},
    {"assume", "ub"},
    {"cold_path breakpoint", "u"},
    {"forget", "u*"},
    {"is_val_statically_known", "b*"},
    {"black_box", "TT"},
    {"select_unpredictable", "TbTT"},
    {"abort unreachable", "!"},
    {"caller_location", "p"},
    {"catch_unwind", "4f*f"},
    // functions named by the width of their float
    {"sqrt floor ceil trunc round round_ties_even sin cos exp exp2 log log2 log10 fabs", "EE"},
    {"copysign minimum maximum minimum_number_nsz maximum_number_nsz pow", "EEE"},
    {"fma fmuladd", "EEEE"},
    {"powi", "EE4"},
};

static std::string_view find(llvm::StringRef name, bool isByWidth) {
  for (const Signature &signature : kSignatures) {
    llvm::SmallVector<llvm::StringRef, 16> names;
    llvm::StringRef(signature.names).split(names, ' ');
    if (llvm::is_contained(names, name) && signature.letters.starts_with('E') == isByWidth)
      return signature.letters;
  }
  return {};
}

/// The width that ends a name as `sqrtf32` or `round_ties_even_f64`, which is cut off; 0: none.
static unsigned takeWidth(llvm::StringRef &name) {
  for (unsigned bits : {16u, 32u, 64u, 128u})
    if (name.consume_back(("f" + llvm::Twine(bits)).str())) {
      name.consume_back("_");
      return bits;
    }
  return 0;
}

std::string_view coreIntrinsicSignature(std::string_view name) {
  if (std::string_view letters = find(name, /*isByWidth=*/false); !letters.empty())
    return letters;
  llvm::StringRef function(name);
  return takeWidth(function) ? find(function, /*isByWidth=*/true) : std::string_view();
}

// ---- One call

namespace {
/// Compares the types of a call with letters.
class Matcher {
public:
  explicit Matcher(const IntrinsicCall &call) : call_(call), program_(call.fc.program) {
    for (const mir::GenericArg &arg : call.callee.args) {
      if (arg.constant)
        ++constants_;
      else
        types_.push_back(arg.ty);
    }
    llvm::StringRef name(call.callee.name);
    width_ = takeWidth(name);
  }

  bool matches(llvm::StringRef signature) const {
    auto [letters, constants] = signature.split('/');
    unsigned wanted = 0;
    if (!constants.empty() && (constants.getAsInteger(10, wanted) || constants_ < wanted))
      return false;
    const size_t count = call_.args.size();
    if (letters.consume_back("@") && !isSizedArgument(0))
      return false;
    if (letters.size() != count + 1)
      return false;
    if (letters.front() != '!' && !isA(call_.dest.ty, letters.front()))
      return false;
    for (size_t i = 0; i < count; ++i)
      if (!isA(call_.args[i].ty, letters[i + 1]))
        return false;
    return true;
  }

private:
  const mir::Type &type(mir::TypeId ty) const { return program_.types[ty]; }
  bool isSizedArgument(size_t index) const {
    return index < types_.size() && mir::isSized(type(types_[index]));
  }
  bool isArgument(mir::TypeId ty, size_t index) const {
    return isSizedArgument(index) &&
           (ty == types_[index] || mir::sameShape(type(ty), type(types_[index])));
  }
  const mir::Scalar *scalar(mir::TypeId ty) const { return mir::scalarOf(type(ty)); }
  bool isInteger(mir::TypeId ty, uint32_t bits = 0) const {
    const mir::Scalar *s = scalar(ty);
    return s && s->primitive == mir::Primitive::Int && !isBool(*s) &&
           (bits == 0 || s->bits == bits);
  }
  bool isFloat(mir::TypeId ty, uint32_t bits = 0) const {
    const mir::Scalar *s = scalar(ty);
    return s && s->primitive == mir::Primitive::Float && (bits == 0 || s->bits == bits);
  }
  bool isAddress(mir::TypeId ty) const {
    const mir::Scalar *s = scalar(ty);
    return s && s->primitive == mir::Primitive::Pointer;
  }
  bool isNumberOrAddress(mir::TypeId ty) const { return scalar(ty) && !isFloat(ty); }

  bool isPointerWithMetadata(mir::TypeId ty) const {
    if (types_.empty())
      return false;
    if (mir::metadataOf(program_, types_[0]) == mir::Metadata::None)
      return isAddress(ty);
    const mir::ReprPair *pair = mir::pairOf(type(ty));
    const bool isVtable = mir::metadataOf(program_, types_[0]) == mir::Metadata::Vtable;
    return pair && pair->a.primitive == mir::Primitive::Pointer &&
           pair->b.primitive == (isVtable ? mir::Primitive::Pointer : mir::Primitive::Int) &&
           pair->b.bits == 64;
  }
  bool isPairWithBool(mir::TypeId ty) const {
    const mir::ReprPair *pair = mir::pairOf(type(ty));
    const mir::Scalar *first = types_.empty() ? nullptr : scalar(types_[0]);
    return pair && first && mir::sameScalar(pair->a, *first) && isBool(pair->a) == isBool(*first) &&
           isBool(pair->b);
  }

  bool isA(mir::TypeId ty, char letter) const {
    switch (letter) {
    case 'T':
      return isArgument(ty, 0);
    case 'I':
      return isArgument(ty, 0) && isInteger(ty);
    case 'B':
      return isArgument(ty, 0) && isNumberOrAddress(ty) && !isAddress(ty);
    case 'F':
      return isArgument(ty, 0) && isFloat(ty);
    case 'N':
      return isArgument(ty, 0) && isNumberOrAddress(ty);
    case 'A':
      return isArgument(ty, 0) && scalar(ty);
    case 'J':
      return isArgument(ty, 1) && isInteger(ty);
    case 'K':
      return isArgument(ty, 1) && isNumberOrAddress(ty) && !isAddress(ty) &&
             type(ty).size == type(types_[0]).size;
    case 'E':
      return isFloat(ty, width_);
    case 'p':
      return isAddress(ty);
    case 'r': {
      const mir::TypeId pointee = mir::pointeeOf(program_, ty);
      return isAddress(ty) && pointee.isValid() && mir::isSized(type(pointee));
    }
    case 'Q':
      return isPointerWithMetadata(ty);
    case 'z':
      return isInteger(ty, 64);
    case 'o':
      return isInteger(ty, 8);
    case '4':
      return isInteger(ty, 32);
    case 'k':
      return isInteger(ty);
    case 'b':
      return scalar(ty) && isBool(*scalar(ty));
    case 'u':
      return kindOf(type(ty)) == OperandValue::Kind::ZeroSized;
    case 'O':
      return isInteger(types_.empty() ? ty : types_[0]) && isPairWithBool(ty);
    case 'C':
      return isPairWithBool(ty);
    case 'f':
      return mir::isKind<mir::TyFnPtr>(program_, ty);
    case '*':
      return mir::isSized(type(ty));
    }
    return false;
  }

  const IntrinsicCall &call_;
  const mir::Program &program_;
  llvm::SmallVector<mir::TypeId, 2> types_;
  unsigned constants_ = 0, width_ = 0;
};
} // namespace

bool fitsSignature(const IntrinsicCall &call) {
  const std::string_view signature = coreIntrinsicSignature(call.callee.name);
  return signature.empty() || Matcher(call).matches(signature);
}

} // namespace mirgpu::lowering
