import ts from 'typescript'
import { parseScript } from '#server/lace/parser.ts'
import { printScript } from '#server/lace/print/print.ts'
import { validateScript } from '#server/lace/validator.ts'

const MAX_SCRIPT_LENGTH = 65_536
const ROUNDS = 15

const CALL = `post("$s.base/users/\${$$id}/orders?page=$s.page", {
  headers: { Authorization: "Bearer $s.token", Accept: "application/json" },
  body: json({ name: "$s.name", tags: ["a", "b", { deep: [1, 2.5, null, true] }] }),
  timeout: { ms: 5000, action: "retry", retries: 2 }
})
.expect(status: [200, 201], bodySize: "128kb", headers: { "content-type": "application/json" })
.check(totalDelayMs: { value: 800, op: "lte" }, ttfb: 300, tls: 200)
.assert({ expect: [count(this.body.items) gt 0 and includes("ok", this.body.state)], check: [$s.before + 1 lte this.body.n] })
.store({ last: this.body.items })
`

/** A similar text in TypeScript, for the parser of TypeScript as the peer. */
const PEER_CALL = `post(\`\${s.base}/users/\${id}/orders?page=\${s.page}\`, {
  headers: { Authorization: \`Bearer \${s.token}\`, Accept: "application/json" },
  body: json({ name: s.name, tags: ["a", "b", { deep: [1, 2.5, null, true] }] }),
  timeout: { ms: 5000, action: "retry", retries: 2 }
})
.expect({ status: [200, 201], bodySize: "128kb", headers: { "content-type": "application/json" } })
.check({ totalDelayMs: { value: 800, op: "lte" }, ttfb: 300, tls: 200 })
.assert({ expect: [count(self.body.items) > 0 && includes("ok", self.body.state)], check: [s.before + 1 <= self.body.n] })
.store({ last: self.body.items });
`

/**
 * Parses, validates and prints the longest allowed script, compared with TypeScript's parser on a text of the same
 * length and similar content. Only the ratio counts, because both depend on the machine.
 */
export async function run(): Promise<void> {
  const source = repeatToLimit(CALL)
  const peerSource = repeatToLimit(PEER_CALL)
  const registry = { s: ['base', 'page', 'token', 'name', 'before'] }
  const validate = (text: string) => validateScript(text, { scopes: ['s'], variables: registry })
  const { ast, errors } = validate(source)
  if (!ast || errors.length > 0) throw new Error('the script of the benchmark does not validate')

  const peer = measure(() => ts.createSourceFile('peer.ts', peerSource, ts.ScriptTarget.Latest, false))
  const works: [name: string, work: () => unknown][] = [
    ['parse', () => parseScript(source, { scopes: ['s'] })],
    ['validate', () => validate(source)],
    ['print', () => printScript(ast)],
    [
      'validate, every variable unknown',
      () => validateScript(source, { variables: Array.from({ length: 400 }, (_, i) => `v${i}`) }),
    ],
    ['validate nonsense', () => validate('@ ( $ " '.repeat(MAX_SCRIPT_LENGTH / 8))],
    ['validate depth', () => validate(`get("u").assert({ expect: [${'('.repeat(MAX_SCRIPT_LENGTH - 40)}`)],
  ]
  console.log(`${source.length} characters; TypeScript's parser: ${peer.toFixed(1)} ms`)
  for (const [name, work] of works) {
    const ms = measure(work)
    console.log(`${name.padEnd(34)} ${ms.toFixed(1).padStart(6)} ms  ${(ms / peer).toFixed(2)} x`)
  }
}

function repeatToLimit(call: string): string {
  return call.repeat(Math.floor(MAX_SCRIPT_LENGTH / call.length))
}

/** Returns the median of several rounds in milliseconds, after a warm-up. */
function measure(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now()
    work()
    return performance.now() - startedAt
  })
  return times.slice(3).toSorted((a, b) => a - b)[Math.floor((ROUNDS - 3) / 2)]!
}

if (import.meta.main) await run()
