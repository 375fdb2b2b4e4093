import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { ROOT } from '#server/process/program.ts'
import { SEED } from '../seed.ts'

/** Below this a file is only counted, not listed. */
const LISTED_S = 1
/** A run of fewer files is looked at file by file. */
const FILES_MIN = 10

/** Prints at the end how long each test file took, longest first, and after a failure the seed of random choices. */
export class FileTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: 'passed' | 'interrupted' | 'failed'): void {
    if (reason === 'failed') console.log(`Random choices were those of SEED=${SEED}`)
    if (modules.length < FILES_MIN) return
    const files = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return { name: relative(ROOT, module.moduleId), seconds: (duration + collectDuration) / 1_000 }
    })
    const listed = files.filter(({ seconds }) => seconds >= LISTED_S).toSorted((a, b) => b.seconds - a.seconds)
    const sum = files.reduce((total, { seconds }) => total + seconds, 0)
    console.log(
      [
        `Seconds of each test file (${Math.round(sum)} in all; ${files.length - listed.length} files took less than one):`,
        ...listed.map(({ name, seconds }) => `${seconds.toFixed(0).padStart(5)} ${name}`),
      ].join('\n'),
    )
  }
}
