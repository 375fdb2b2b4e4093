import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#server/process/program.ts'
import type { Figure } from './report.ts'

// The figures of each benchmark's last run are committed, so that `--check` can say what became worse since.

const FOLDER = 'test/bench/figures'
/** A figure that is worse by more than this share is named. */
const TOLERANCE = 0.2

type Recorded = { measuredAt: string; figures: Figure[] }

/** Replaces the figures that were measured now. Figures of cases that were not measured stay. */
export function writeFigures(bench: string, figures: Figure[]): void {
  const kept = readFile(bench)?.figures.filter(({ name }) => !figures.some((figure) => figure.name === name)) ?? []
  const recorded: Recorded = { measuredAt: new Date().toISOString(), figures: [...kept, ...figures] }
  mkdirSync(join(ROOT, FOLDER), { recursive: true })
  writeFileSync(join(ROOT, FOLDER, `${bench}.json`), `${JSON.stringify(recorded, null, 2)}\n`)
}

/** Reads the figures of the last commit, or the file's where there is no git. Returns null for a new benchmark. */
export function readCommittedFigures(bench: string): Figure[] | null {
  try {
    const show = ['show', `HEAD:./${FOLDER}/${bench}.json`]
    const text = execFileSync('git', show, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return (JSON.parse(text) as Recorded).figures
  } catch {
    return readFile(bench)?.figures ?? null
  }
}

/** Describes each figure that is worse than before by more than a fifth. */
export function findWorse(before: Figure[], now: Figure[]): string[] {
  return now.flatMap(({ name, value, unit, better }) => {
    const last = before.find((figure) => figure.name === name)
    if (!last) return []
    const isWorse = better === 'higher' ? value < last.value * (1 - TOLERANCE) : value > last.value * (1 + TOLERANCE)
    return isWorse ? [`${name}: ${value} ${unit}, was ${last.value}`] : []
  })
}

function readFile(bench: string): Recorded | null {
  try {
    return JSON.parse(readFileSync(join(ROOT, FOLDER, `${bench}.json`), 'utf8')) as Recorded
  } catch {
    return null
  }
}
