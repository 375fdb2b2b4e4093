import type { Call, Expr, FuncCall, PathSegment } from '../ast.ts'
import { findUnmarkedVariable } from '../interpolation.ts'
import { ASSERT_HELPERS, HELPERS } from '../parser/words.ts'
import { textsOf, variablesIn } from '../references.ts'
import { didYouMean, quote } from '../suggest.ts'
import { expressionsOf, type Place, visitExpr } from '../walk.ts'
import type { Registry } from './registry.ts'
import type { Report } from './report.ts'

/** The rules on everything a call evaluates: what `this`, `prev`, functions and variables may be used where. */
export function checkExpressions(
  call: Call,
  index: number,
  report: Report,
  registry: Registry,
  hasPrev: boolean,
): void {
  const texts = textsOf(call)
  texts.forEach((text, at) => {
    const place = { callIndex: index, chainMethod: undefined }
    const [node, field]: [object, string] = at === 0 ? [call, 'url'] : [call.config!, 'body']
    for (const ref of variablesIn(text, registry.scopes)) {
      if (ref.kind !== 'script') continue
      checkVariable(ref.name, ref.path, place, report, registry, node, field)
    }
    checkUnmarked(text, place, report, node, field)
  })
  for (const { expr, place } of expressionsOf(call, index)) {
    visitExpr(expr, (inner) => checkExpr(inner, place, report, registry, hasPrev))
  }
}

function checkExpr(expr: Expr, place: Place, report: Report, registry: Registry, hasPrev: boolean): void {
  const { callIndex, chainMethod } = place
  switch (expr.kind) {
    case 'thisRef':
      if (chainMethod === undefined) {
        const detail = () => '`this` is the response, so it can be used in chain methods only'
        report('THIS_OUT_OF_SCOPE', callIndex, chainMethod, place.field, detail, expr)
      }
      return
    case 'prevRef':
      if (!hasPrev) {
        const detail = () => 'there is no previous result, so `prev` is null'
        report('PREV_WITHOUT_RESULTS', callIndex, chainMethod, 'prev', detail, expr)
      }
      return
    case 'scriptVar':
      checkVariable(expr.name, expr.path ?? [], place, report, registry, expr)
      return
    case 'literal':
      if (expr.valueType !== 'string') return
      for (const ref of variablesIn(String(expr.value), registry.scopes)) {
        if (ref.kind === 'script') checkVariable(ref.name, ref.path, place, report, registry, expr)
      }
      checkUnmarked(String(expr.value), place, report, expr)
      return
    case 'funcCall':
      checkFunction(expr, place, report, registry)
  }
}

function checkVariable(
  name: string,
  path: PathSegment[],
  place: Pick<Place, 'callIndex' | 'chainMethod'>,
  report: Report,
  registry: Registry,
  node: object,
  nodeField?: string,
): void {
  const problem = registry.problem(name, path)
  if (!problem) return
  report('VARIABLE_UNKNOWN', place.callIndex, place.chainMethod, problem.field, problem.detail, node, nodeField)
}

function checkUnmarked(
  text: string,
  place: Pick<Place, 'callIndex' | 'chainMethod'>,
  report: Report,
  node: object,
  nodeField?: string,
): void {
  const name = findUnmarkedVariable(text)
  if (name === null) return
  const detail = () => `${quote(`\${${name}}`)} stays as it is; a variable is written ${quote(`\${$${name}}`)}`
  report('TEXT_NOT_INTERPOLATED', place.callIndex, place.chainMethod, name, detail, node, nodeField)
}

function checkFunction(call: FuncCall, place: Place, report: Report, registry: Registry): void {
  const { name, args } = call
  const say = (code: Parameters<Report>[0], field: string, detail: () => string) =>
    report(code, place.callIndex, place.chainMethod, field, detail, call)
  const helper = (HELPERS as readonly string[]).includes(name)
  const assertHelper = (ASSERT_HELPERS as readonly string[]).includes(name)

  if (!helper && !(assertHelper && place.condition)) {
    // An extension may have given it a meaning; without the extension it is kept as it stands.
    if (place.extension) return
    const known = place.condition ? [...HELPERS, ...ASSERT_HELPERS] : HELPERS
    say('UNKNOWN_FUNCTION', name, () =>
      assertHelper
        ? `\`${name}\` can be used in the conditions of \`.assert()\` only`
        : `there is no function ${quote(name)}${didYouMean(name, known)}`,
    )
    return
  }
  const wanted = name === 'includes' ? 2 : 1
  if (args.length !== wanted) {
    const takes = wanted === 1 ? 'one argument' : 'two arguments: what to look for, and where'
    say('FUNC_ARG_TYPE', name, () => `\`${name}\` takes ${takes}, and is given ${args.length}`)
    return
  }
  const [arg] = args
  if ((name === 'json' || name === 'form') && arg!.kind !== 'objectLit') {
    say('FUNC_ARG_TYPE', name, () => `\`${name}\` takes an object, as in \`${name}({ key: "value" })\``)
  }
  if (name !== 'schema') return
  if (arg!.kind !== 'scriptVar') {
    say('FUNC_ARG_TYPE', name, () => '`schema` takes a script variable, as in `schema($user)`')
    return
  }
  const problem = registry.problem(arg!.name, arg!.path ?? [])
  if (problem) say('SCHEMA_VAR_UNKNOWN', problem.field, () => `the schema's ${problem.detail()}`)
}
