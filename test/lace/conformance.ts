import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vectorProblem } from './conformance/schemas.ts'
import { checkVector, type Vector } from './conformance/vector.ts'

const OMITTED = ['extensions']
const CONCURRENCY = 4

export type ConformanceReport = { passed: number; failed: number; skipped: number }

/** Runs every vector (`*.json`) under a directory, and prints a line for each that does not pass. */
export async function runVectors(directory: string, print: (line: string) => void): Promise<ConformanceReport> {
  const files: string[] = []
  for await (const file of glob('**/*.json', { cwd: directory })) files.push(file)
  files.sort()
  const report: ConformanceReport = { passed: 0, failed: 0, skipped: 0 }
  const runNext = async (): Promise<void> => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const outcome = await runFile(join(directory, file)).catch((error: unknown) => [String(error)])
      if (typeof outcome === 'string') {
        report.skipped++
        print(`skipped ${file}: ${outcome}`)
      } else if (outcome.length > 0) {
        report.failed++
        print(`failed ${file}: ${outcome.slice(0, 3).join('; ')}`)
      } else report.passed++
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runNext))
  return report
}

/** Returns the problems, or as a string the reason why the vector was skipped. */
async function runFile(path: string): Promise<string[] | string> {
  const vector: Vector = JSON.parse(await readFile(path, 'utf8'))
  const omitted = OMITTED.find((feature) => vector.requires?.includes(feature))
  if (omitted !== undefined) return `omitted: ${omitted}`
  if (vector.type === 'extension') return 'omitted: extensions'
  const problem = vectorProblem(vector)
  return problem === null ? checkVector(vector) : [problem]
}

if (import.meta.main) {
  const [directory] = process.argv.slice(2)
  if (directory === undefined) {
    console.error('usage: npm run conformance -- DIRECTORY')
    process.exit(2)
  }
  const { passed, failed } = await runVectors(directory, console.log)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed > 0 || passed === 0 ? 1 : 0)
}
