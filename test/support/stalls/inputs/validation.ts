import { SCRIPT_MAX } from '#server/schemas/scripts/limits.ts'
import type { HostileInput } from '../hostile-input.ts'

// What costs most to validate in 64 KB and 20,000 tokens: many calls, dense tokens, long and deep trees, and errors in
// every line. The web process validates while it answers.

const CALL = `post("https://a.example/\${$$id}", {
  headers: { Authorization: "Bearer $$token", Accept: "application/json" },
  body: json({ name: "$$name", tags: ["a", "b", { deep: [1, 2.5, null, true] }] }),
  timeout: { ms: 5000, action: "retry", retries: 2 }
})
.expect(status: [200, 201], bodySize: "128kb", headers: { "content-type": "application/json" })
.assert({ expect: [count(this.body.items) gt 0 and includes("ok", this.body.state)], check: [1 + 1 lte this.body.n] })
.store({ "$$last": this.body.items })
`
const VARIABLE = '${' + '$s.base}'

const WORST: Record<string, string> = {
  calls: CALL.repeat(Math.floor(SCRIPT_MAX / CALL.length)),
  numbers: expectation('1,'.repeat(9_900)),
  sums: expectation(`${Array(480).fill('$s.page').join('+')},`.repeat(10)),
  'unknown variables': expectation(Array.from({ length: 9_000 }, (_, index) => `$x${index}`).join()),
  'misspelt calls': 'gett("u").expect(status: 200)\n'.repeat(1_400),
  'short calls': 'get("u").expect(status: 200)\n'.repeat(1_400),
  'variables in a text': `get("${VARIABLE.repeat(6_500)}").expect(status: 200)`,
  'texts with variables': expectation(`"${VARIABLE}a",`.repeat(4_000)),
  'long paths': expectation(`this${'.body'.repeat(690)},`.repeat(14)),
  brackets: `get("u").assert({ expect: [${'('.repeat(SCRIPT_MAX - 40)}`,
  fields: `get("u", { body: json({ ${Array.from({ length: 4_900 }, (_, index) => `k${index}:1`).join()} }) }).expect(status: 200)`,
  headers: `get("u", { headers: { ${Array.from({ length: 3_900 }, (_, index) => `"h${index}":"$s.bas"`).join()} } }).expect(status: 200)`,
}

export const VALIDATION_INPUTS: HostileInput[] = Object.entries(WORST).map(([name, script]) => ({
  name: `validate: 64 KB of ${name}`,
  process: 'web',
  async send({ api, projectId }, variation) {
    const part = script.slice(0, variation.integer(SCRIPT_MAX, SCRIPT_MAX / 2, SCRIPT_MAX))
    const name = `Hostile ${variation.unique()}`
    const { status, text } = await api('POST', '/services', { projectId, name, script: part })
    if (status !== 200 && status !== 400) throw new Error(`a save answered ${status}: ${text}`)
  },
}))

function expectation(values: string): string {
  return `get("u").assert({ expect: [${values}] })`
}
