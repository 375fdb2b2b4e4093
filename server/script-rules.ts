import type { Call, Expr } from '#worker/lace/ast.ts'
import { findTooLong, LONGEST_HEADER } from '#worker/lace/bounds.ts'
import { knownText, resolveTemplate } from '#worker/lace/interpolation.ts'
import { staticTarget } from '#worker/lace/references.ts'
import type { ExtraProblem, ExtraRule } from '#worker/lace/validator.ts'
import { describeHosts, isHostAllowed } from './allowed-hosts.ts'
import { isHostOf } from './network.ts'
import { dependsOnSecret, textOf } from './script-policy.ts'
import { type CallFlow, holds, readFlows } from './secret-flow.ts'
import { SCRIPT_SCOPES, type VariableScopes } from './variables.ts'

// Rules of the platform on what a script sends, beside those of the language. A run holds every request against them
// anew: here only what is known before one.

/** The rules as they are for a service that reads these variables. */
export function scriptRules(scopes: VariableScopes): ExtraRule[] {
  return [
    (ast, report) => {
      const tooLong = findTooLong(ast, (ref) => textOf(scopes, ref), SCRIPT_SCOPES)
      if (tooLong) report({ code: 'TOO_LONG', ...tooLong })
    },
    (ast, report) => {
      const flows = scopes.bound.length > 0 ? readFlows(ast) : []
      for (const [callIndex, call] of ast.calls.entries()) {
        const target = targetOf(call, scopes)
        const say = (problem: Omit<ExtraProblem, 'callIndex'>) => report({ ...problem, callIndex })
        checkHostHeaders(call, target, scopes, say)
        const flow = flows[callIndex]
        if (flow && target) checkSecrets(call, flow, target, scopes, say)
      }
    },
  ]
}

type Say = (problem: Omit<ExtraProblem, 'callIndex'>) => void

/** Where a call goes; null when that is not known before it runs. */
function targetOf({ url }: Call, scopes: VariableScopes): URL | null {
  const target = staticTarget(url, (ref) => textOf(scopes, ref), SCRIPT_SCOPES)
  return target.kind === 'known' ? URL.parse(target.url) : null
}

function checkHostHeaders({ config }: Call, target: URL | null, scopes: VariableScopes, say: Say): void {
  const hosts = Object.entries(config?.headers ?? {}).filter(([name]) => name.toLowerCase() === 'host')
  const [, second] = hosts
  if (second) {
    const detail = 'a request has one Host header only'
    say({ code: 'HOST_HEADER_TWICE', field: `headers.${second[0]}`, detail, node: second[1] })
  }
  for (const [name, expr] of hosts) {
    const text = staticText(expr, scopes)
    if (target === null || text === null || isHostOf(target, text)) continue
    const detail = 'the Host header must be the host of the URL'
    say({ code: 'HOST_HEADER_DIFFERS', field: `headers.${name}`, detail, node: expr })
  }
}

function staticText(expr: Expr, scopes: VariableScopes): string | null {
  if (expr.kind === 'scriptVar') return textOf(scopes, { name: expr.name, path: expr.path ?? [] })
  if (expr.kind !== 'literal' || expr.valueType !== 'string') return null
  return knownText(
    resolveTemplate(String(expr.value), (ref) => textOf(scopes, ref), SCRIPT_SCOPES),
    LONGEST_HEADER,
  )
}

function checkSecrets(call: Call, flow: CallFlow, target: URL, scopes: VariableScopes, say: Say): void {
  const { config } = call
  const cookies = Object.values(config?.cookies ?? {})
  const parts = [
    { field: 'url', names: flow.url, node: call },
    ...Object.entries(config?.headers ?? {}).map(([name, expr]) => ({
      field: `headers.${name}`,
      names: flow.headers.get(name.toLowerCase()) ?? new Set<string>(),
      node: expr,
    })),
    { field: 'cookies', names: flow.cookies, node: cookies[0] ?? call },
    { field: 'body', names: flow.body, node: config?.body && config.body.type !== 'raw' ? config.body.value : call },
  ]
  for (const secret of scopes.bound.filter(({ allowedHosts }) => !isHostAllowed(allowedHosts, target))) {
    const part = parts.find(({ names }) => holds(names, secret.name))
    if (!part) continue
    const host = dependsOnSecret(call.url, target.hostname.replace(/^\[|\]$/g, ''), scopes)
      ? 'the host of this call'
      : target.host
    const detail = `the secret $${secret.name} may be sent to ${describeHosts(secret.allowedHosts)} only, not to ${host}`
    say({ code: 'SECRET_HOST_NOT_ALLOWED', field: part.field, detail, node: part.node })
  }
}
