import { afterAll, expect } from 'vitest'
import { isAcross, isMigration } from './exceptions.ts'
import { judge } from './judge.ts'
import { takeStatements, watchStatements } from './sent-statements.ts'
import { TENANT_TABLES } from './tables.ts'

// Runs before each test file. Judges the statements that the program sends in this process. Files share a process, and each
// text is judged once in it.

const KEY = Symbol.for('tests.judged-statements')
const holder = globalThis as { [KEY]?: Set<string> }
if (!holder[KEY]) watchStatements()
const judged = holder[KEY] ?? new Set<string>()
holder[KEY] = judged

afterAll(() => {
  const wrong = takeStatements().filter((text) => {
    const shape = shapeOf(text)
    if (text.trim() === '' || isMigration(text) || judged.has(shape)) return false
    judged.add(shape)
    return judge(text, TENANT_TABLES).some((finding) => !isAcross(finding, text))
  })
  expect(wrong).toEqual([])
})

/** The text without the numbers of its parameters, and with one row of those that it inserts. */
function shapeOf(text: string): string {
  return text.replaceAll(/\$\d+/g, '?').replaceAll(/(\([?, ]*\))(, ?\1)+/g, '$1')
}
