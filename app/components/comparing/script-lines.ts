import { structuredPatch } from 'diff'

const TIMEOUT_MS = 3_000

/** Returns the change between two scripts as lines of a unified diff; null if they differ too much to compare them in time. */
export function diffScripts(before: string, after: string): string[] | null {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, timeout: TIMEOUT_MS })
  if (!patch) return null
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.filter((line) => !line.startsWith('\\')),
  ])
}
