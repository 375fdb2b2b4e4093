import { appendFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
import { isAcross } from './exceptions.ts'
import { judge } from './judge.ts'
import { takeStatements, watchStatements } from './sent-statements.ts'
import { TENANT_TABLES } from './tables.ts'

// Runs before each test file. Files share a process, and each text is judged once in it.

const KEY = Symbol.for('tests.judged-statements')
const holder = globalThis as { [KEY]?: Set<string> }
if (!holder[KEY]) watchStatements()
const judged = holder[KEY] ?? new Set<string>()
holder[KEY] = judged

afterAll(() => {
  const wrong = takeStatements().filter((text) => {
    const shape = shapeOf(text)
    if (text.trim() === '' || judged.has(shape)) return false
    judged.add(shape)
    return judge(text, TENANT_TABLES).some((finding) => !isAcross(finding))
  })
  if (process.env.COLLECT) {
    for (const text of wrong) {
      const findings = judge(text, TENANT_TABLES).filter((f) => !isAcross(f)).map((f) => `${f.kind} ${f.tables} [${[...f.columns]}]`)
      appendFileSync(process.env.COLLECT, `${JSON.stringify({ shape: shapeOf(text).replaceAll(/\s+/g, ' '), findings })}\n`)
    }
    return
  }
  expect(wrong).toEqual([])
})

/** The text without the numbers of its parameters, and with one row of those that it inserts. */
function shapeOf(text: string): string {
  return text.replaceAll(/\$\d+/g, '?').replaceAll(/(\([?, ]*\))(, ?\1)+/g, '$1')
}
