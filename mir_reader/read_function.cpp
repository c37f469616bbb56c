// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an element of `functions` to mir::Function with its body: locals, scopes, debug variables,
// blocks.
#include "mir_reader/read_parts.h"

namespace mirgpu::mir {

static Local readLocal(Json &json) {
  Local local;
  local.ty = json.key("ty").id<TypeId>();
  local.isMutable = json.key("mutable").boolean();
  local.span = json.key("span").idOrNull<SpanId>();
  local.name = json.key("name").textOrNull();
  return local;
}

static Scope readScope(Json &json) {
  Scope scope;
  scope.parent = json.key("parent").idOrNull<ScopeId>();
  scope.span = json.key("span").idOrNull<SpanId>();
  Json inlined = json.key("inlined");
  if (inlined.isNull())
    return scope;
  Inlined &callee = scope.inlined.emplace();
  callee.callee = inlined.key("callee").text();
  callee.function = inlined.key("function").idOrNull<FunctionId>();
  callee.callSite = inlined.key("call_site").idOrNull<SpanId>();
  callee.trackCaller = inlined.key("track_caller").boolean();
  return scope;
}

static std::variant<Place, Constant> readDebugValue(Json &json) {
  if (json.hasKey("place")) {
    Json place = json.key("place");
    return readPlace(place);
  }
  Json constant = json.key("const");
  return readConstant(constant);
}

static DebugVar readDebugVar(Json &json) {
  DebugVar variable;
  variable.name = json.key("name").text();
  variable.scope = json.key("scope").id<ScopeId>();
  variable.span = json.key("span").idOrNull<SpanId>();
  Json argument = json.key("argument");
  if (!argument.isNull())
    variable.argument = argument.u32();
  Json value = json.key("value");
  variable.value = readDebugValue(value);
  Json fragment = json.key("fragment");
  if (fragment.isNull())
    return variable;
  DebugFragment &part = variable.fragment.emplace();
  part.ty = fragment.key("ty").id<TypeId>();
  Json projection = fragment.key("projection");
  part.projection = readProjections(projection);
  return variable;
}

static Body readBody(Json &json) {
  Body body;
  body.argCount = json.key("arg_count").u32();
  json.key("locals").forEach([&](Json &local) { body.locals.push(readLocal(local)); });
  json.key("scopes").forEach([&](Json &scope) { body.scopes.push(readScope(scope)); });
  json.key("debug").list(body.debug, readDebugVar);
  json.key("blocks").forEach([&](Json &block) { body.blocks.push(readBlock(block)); });
  return body;
}

/// The keys from `target_features` to `tool_attrs`.
static void readLinking(Json &json, Function &function) {
  json.key("target_features").texts(function.targetFeatures);
  function.linkName = json.key("link_name").textOrNull();
  function.exportName = json.key("export_name").textOrNull();
  function.linkage = json.key("linkage").textOrNull();
  function.section = json.key("section").textOrNull();
  function.lang = json.key("lang").textOrNull();
  Json attributes = json.key("tool_attrs");
  function.toolAttrs = readToolAttrs(attributes);
}

Function readFunction(Json &json) {
  Function function;
  function.symbol = json.key("symbol").text();
  function.defPath = json.key("def_path").text();
  function.shim = json.key("shim").text();
  function.abi = json.key("abi").text();
  function.isVariadic = json.key("variadic").boolean();
  function.isForeign = json.key("foreign").boolean();
  Json spread = json.key("spread_arg");
  if (!spread.isNull())
    function.spreadArg = spread.id<LocalId>();
  function.trackCaller = json.key("track_caller").boolean();
  function.inlineHint = json.key("inline").word<InlineHint>();
  function.cold = json.key("cold").boolean();
  function.naked = json.key("naked").boolean();
  readLinking(json, function);
  json.key("inputs").ids(function.inputs);
  function.output = json.key("output").id<TypeId>();
  Json modes = json.key("pass_modes");
  if (!modes.isNull())
    modes.texts(function.passModes);
  function.crate = json.key("crate").text();
  function.isLocal = json.key("local").boolean();
  Json body = json.key("body");
  if (!body.isNull())
    function.body = readBody(body);
  function.span = json.key("span").idOrNull<SpanId>();
  if (json.hasKey("trait"))
    function.trait = json.key("trait").text();
  return function;
}

} // namespace mirgpu::mir
