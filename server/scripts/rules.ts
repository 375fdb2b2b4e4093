import type { Call, Expr } from '../language/lace/ast.ts'
import { resolvedText, resolveTemplate } from '../language/lace/interpolation.ts'
import { staticTarget } from '../language/lace/references.ts'
import { findLimitViolation, MAX_HEADER_LENGTH } from '../language/lace/request-limits.ts'
import type { ExtraProblem, ExtraRule } from '../language/lace/validator.ts'
import { createHostIndex, describeRefusedSecret, firstSecret, type SecretMask } from './allowed-hosts.ts'
import { dependsOnHidden, type HiddenKinds, variableAsString } from './policy.ts'
import { SCRIPT_SCOPES } from './script-scopes.ts'
import { type CallFlow, readFlows } from './secret-flow.ts'
import { isHostOf } from './target-addresses.ts'
import type { VariableScopes } from './variable-scopes.ts'

// The platform's rules for what a script sends, in addition to the rules of the language. They are checked here as far as
// requests are known before a run; during a run every request is checked again.

/** Returns the rules for a service that reads these variables. */
export function scriptRules(scopes: VariableScopes, hidden?: HiddenKinds): ExtraRule[] {
  return [
    (ast, report) => {
      const tooLong = findLimitViolation(ast, (ref) => variableAsString(scopes, ref), SCRIPT_SCOPES)
      if (tooLong) report({ code: 'TOO_LONG', ...tooLong })
    },
    (ast, report) => {
      const names = scopes.restrictedSecrets.map(({ name }) => name)
      const flows = names.length > 0 ? readFlows(ast, names) : []
      const excludedAt = createHostIndex(scopes.restrictedSecrets)
      for (const [callIndex, call] of ast.calls.entries()) {
        const target = targetOf(call, scopes)
        const reportAt = (problem: Omit<ExtraProblem, 'callIndex'>) => report({ ...problem, callIndex })
        checkHostHeaders(call, target, scopes, reportAt)
        const flow = flows[callIndex]
        if (flow && target) checkSecrets(call, flow, { target, excluded: excludedAt(target), scopes, hidden }, reportAt)
      }
    },
  ]
}

type Report = (problem: Omit<ExtraProblem, 'callIndex'>) => void

/** Returns the target of a call, null when it is known only during a run. */
function targetOf({ url }: Call, scopes: VariableScopes): URL | null {
  const target = staticTarget(url, (ref) => variableAsString(scopes, ref), SCRIPT_SCOPES)
  return target.kind === 'known' ? URL.parse(target.url) : null
}

function checkHostHeaders({ config }: Call, target: URL | null, scopes: VariableScopes, report: Report): void {
  const hosts = Object.entries(config?.headers ?? {}).filter(([name]) => name.toLowerCase() === 'host')
  const [, second] = hosts
  if (second) {
    const detail = 'a request must have at most one Host header'
    report({ code: 'HOST_HEADER_TWICE', field: `headers.${second[0]}`, detail, node: second[1] })
  }
  for (const [name, expr] of hosts) {
    const text = staticString(expr, scopes)
    if (target === null || text === null || isHostOf(target, text)) continue
    const detail = 'the Host header must be the host of the URL'
    report({ code: 'HOST_HEADER_DIFFERS', field: `headers.${name}`, detail, node: expr })
  }
}

function staticString(expr: Expr, scopes: VariableScopes): string | null {
  if (expr.kind === 'scriptVar') return variableAsString(scopes, { name: expr.name, path: expr.path ?? [] })
  if (expr.kind !== 'literal' || expr.valueType !== 'string') return null
  return resolvedText(
    resolveTemplate(String(expr.value), (ref) => variableAsString(scopes, ref), SCRIPT_SCOPES),
    MAX_HEADER_LENGTH,
  )
}

type SecretCheck = { target: URL; excluded: SecretMask; scopes: VariableScopes; hidden: HiddenKinds | undefined }

/** Reports at most one secret for each part of a call. */
function checkSecrets(
  call: Call,
  flow: CallFlow,
  { target, excluded, scopes, hidden }: SecretCheck,
  report: Report,
): void {
  if (excluded === 0n) return
  const { config } = call
  const parts = [
    { field: 'url', held: flow.url, node: call },
    ...Object.entries(config?.headers ?? {}).map(([name, node]) => ({
      field: `headers.${name}`,
      held: flow.headers.get(name.toLowerCase()) ?? 0n,
      node,
    })),
    { field: 'cookies', held: flow.cookies, node: Object.values(config?.cookies ?? {})[0] ?? call },
    { field: 'body', held: flow.body, node: config?.body && config.body.type !== 'raw' ? config.body.value : call },
  ]
  for (const { field, held, node } of parts) {
    const secret = firstSecret(held & excluded, scopes.restrictedSecrets)
    if (!secret) continue
    const isHidden = dependsOnHidden(call.url, target.hostname.replace(/^\[|\]$/g, ''), scopes, hidden)
    const host = isHidden ? 'the host of this call' : target.host
    const detail = describeRefusedSecret(secret, host)
    report({ code: 'SECRET_HOST_NOT_ALLOWED', field, detail, node })
  }
}
