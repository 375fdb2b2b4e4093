import { validateScript } from '../lace/validator.ts'
import { SCRIPT_LIMITS } from '../schemas/scripts/limits.ts'
import { scriptRules } from '../scripts/rules.ts'
import { SCRIPT_SCOPES } from '../scripts/script-scopes.ts'
import { NO_VARIABLES } from '../scripts/variable-scopes.ts'

// V8 compiles code that has run often. The first validation of a long script in a new process took more than twice as long
// as a later one, and held up the event loop for all that time.

/** Scripts of all constructs of the language, and with errors in each line. */
export const WARMING_SCRIPTS: readonly string[] = [
  repeated(`post("$s.base/users/\${$$id}/orders?page=$s.page", {
  headers: { Authorization: "Bearer $s.token", Accept: "application/json" },
  body: json({ name: "$s.name", tags: ["a", "b", { deep: [1, 2.5, null, true, -3] }] }),
  timeout: { ms: 5000, action: "retry", retries: 2 }
})
.expect(status: [200, 201], bodySize: "128kb", headers: { "content-type": "application/json" })
.check(totalDelayMs: { value: 800, op: "lte" }, ttfb: 300, tls: 200)
.assert({ expect: [count(this.body.items) gt 0 and includes("ok", this.body.state)], check: [$$id neq null, not ($s.before + 1 lte prev.calls[0].status)] })
.store({ last: this.body.items, $$id: this.body.id })
`),
  repeated('get("https://a.example/").expect(status: 200)\n'),
  asserting('1, 2, 3'),
  asserting('$s.page + $s.page + 1 - 2 * 3'),
  asserting('$unknown, $s.unknown'),
  asserting('"$' + '{$s.base}a"'),
  asserting('this.body.body.body.body.body.body'),
  repeated('gett("u").expect(status: 200)\n'),
  `get("u", { headers: { ${many(150, (index) => `"h${index}": "$s.bas"`)} } }).expect(status: 200)`,
  `get("u", { body: json({ ${many(200, (index) => `k${index}: 1`)} }) }).expect(status: 200)`,
]
const ROUNDS = 20

/** Validates short scripts until the code is compiled that validates long ones. More rounds only occupy more memory. */
export function warmValidation(): void {
  const variables = Object.fromEntries(
    SCRIPT_SCOPES.map((scope) => [scope, ['base', 'page', 'token', 'name', 'before']]),
  )
  const options = { ...SCRIPT_LIMITS, scopes: SCRIPT_SCOPES, variables, rules: scriptRules(NO_VARIABLES) }
  for (let round = 0; round < ROUNDS; round++) {
    for (const script of WARMING_SCRIPTS) validateScript(script, options)
  }
}

function repeated(text: string): string {
  return text.repeat(Math.ceil(2_000 / text.length))
}

function asserting(values: string): string {
  return `get("u").assert({ expect: [${many(Math.ceil(2_000 / values.length), () => values)}] })`
}

function many(count: number, item: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(', ')
}
