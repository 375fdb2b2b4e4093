import type { Call, Expr, FuncCall, PathSegment } from '../ast.ts'
import { findVariableWithoutDollar } from '../interpolation.ts'
import { ASSERT_HELPERS, HELPERS } from '../parser/words.ts'
import { templatesOf, variablesIn } from '../references.ts'
import { didYouMean, quote } from '../suggest.ts'
import { type ExprLocation, expressionsOf, visitExpr } from '../walk.ts'
import type { Registry } from './registry.ts'
import type { Report } from './report.ts'

/** Checks where the expressions of a call use `this`, `prev`, functions and variables. */
export function checkExpressions(
  call: Call,
  index: number,
  report: Report,
  registry: Registry,
  hasPrev: boolean,
): void {
  const texts = templatesOf(call)
  texts.forEach((text, at) => {
    const location = { callIndex: index, chainMethod: undefined }
    const [node, field]: [object, string] = at === 0 ? [call, 'url'] : [call.config!, 'body']
    for (const ref of variablesIn(text, registry.scopes)) {
      if (ref.kind !== 'script') continue
      checkVariable(ref.name, ref.path, location, report, registry, node, field)
    }
    checkMissingDollar(text, location, report, node, field)
  })
  for (const { expr, location } of expressionsOf(call, index)) {
    visitExpr(expr, (inner) => checkExpr(inner, location, report, registry, hasPrev))
  }
}

function checkExpr(expr: Expr, location: ExprLocation, report: Report, registry: Registry, hasPrev: boolean): void {
  const { callIndex, chainMethod } = location
  switch (expr.kind) {
    case 'thisRef':
      if (chainMethod === undefined) {
        const detail = () => '`this` is the response, so only chain methods can use it'
        report('THIS_OUT_OF_SCOPE', callIndex, chainMethod, location.field, detail, expr)
      }
      return
    case 'prevRef':
      if (!hasPrev) {
        const detail = () => 'there is no previous result, so `prev` is null'
        report('PREV_WITHOUT_RESULTS', callIndex, chainMethod, 'prev', detail, expr)
      }
      return
    case 'scriptVar':
      checkVariable(expr.name, expr.path ?? [], location, report, registry, expr)
      return
    case 'literal':
      if (expr.valueType !== 'string') return
      for (const ref of variablesIn(String(expr.value), registry.scopes)) {
        if (ref.kind === 'script') checkVariable(ref.name, ref.path, location, report, registry, expr)
      }
      checkMissingDollar(String(expr.value), location, report, expr)
      return
    case 'funcCall':
      checkFunction(expr, location, report, registry)
  }
}

function checkVariable(
  name: string,
  path: PathSegment[],
  location: Pick<ExprLocation, 'callIndex' | 'chainMethod'>,
  report: Report,
  registry: Registry,
  node: object,
  nodeField?: string,
): void {
  const problem = registry.problem(name, path)
  if (!problem) return
  report('VARIABLE_UNKNOWN', location.callIndex, location.chainMethod, problem.field, problem.detail, node, nodeField)
}

function checkMissingDollar(
  text: string,
  location: Pick<ExprLocation, 'callIndex' | 'chainMethod'>,
  report: Report,
  node: object,
  nodeField?: string,
): void {
  const name = findVariableWithoutDollar(text)
  if (name === null) return
  const detail = () =>
    `${quote(`\${${name}}`)} is not a variable and is not replaced; a variable is written ${quote(`\${$${name}}`)}`
  report('TEXT_NOT_INTERPOLATED', location.callIndex, location.chainMethod, name, detail, node, nodeField)
}

function checkFunction(call: FuncCall, location: ExprLocation, report: Report, registry: Registry): void {
  const { name, args } = call
  const reportCall = (code: Parameters<Report>[0], field: string, detail: () => string) =>
    report(code, location.callIndex, location.chainMethod, field, detail, call)
  const helper = (HELPERS as readonly string[]).includes(name)
  const assertHelper = (ASSERT_HELPERS as readonly string[]).includes(name)

  if (!helper && !(assertHelper && location.condition)) {
    // It may be a function of an extension. Without the extension it is kept as data.
    if (location.extension) return
    const known = location.condition ? [...HELPERS, ...ASSERT_HELPERS] : HELPERS
    reportCall('UNKNOWN_FUNCTION', name, () =>
      assertHelper
        ? `\`${name}\` is allowed only in the conditions of \`.assert()\``
        : `there is no function ${quote(name)}${didYouMean(name, known)}`,
    )
    return
  }
  const argCount = name === 'includes' ? 2 : 1
  if (args.length !== argCount) {
    const takes = argCount === 1 ? 'one argument' : 'two arguments: what to look for, and where'
    reportCall('FUNC_ARG_TYPE', name, () => `\`${name}\` takes ${takes}, but has ${args.length}`)
    return
  }
  const [arg] = args
  if ((name === 'json' || name === 'form') && arg!.kind !== 'objectLit') {
    reportCall('FUNC_ARG_TYPE', name, () => `\`${name}\` takes an object, as in \`${name}({ key: "value" })\``)
  }
  if (name !== 'schema') return
  if (arg!.kind !== 'scriptVar') {
    reportCall('FUNC_ARG_TYPE', name, () => '`schema` takes a script variable, as in `schema($user)`')
    return
  }
  const problem = registry.problem(arg!.name, arg!.path ?? [])
  if (problem) reportCall('SCHEMA_VAR_UNKNOWN', problem.field, () => `the schema's ${problem.detail()}`)
}
