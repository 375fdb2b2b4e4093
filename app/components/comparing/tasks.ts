import type { StepBody } from '#server/schemas/results/results.ts'
import { diffBodies, type LineDiff } from './line-diff.ts'
import { compareThree, type MergePart } from './merge.ts'
import { diffScripts } from './script-lines.ts'

/** What the worker can compare. */
export type Task =
  | { kind: 'bodies'; before: StepBody; after: StepBody }
  | { kind: 'scripts'; before: string; after: string }
  | { kind: 'merge'; mine: string; base: string; theirs: string }

type Results = { bodies: LineDiff; scripts: string[] | null; merge: MergePart[] }
export type ResultOf<T extends Task> = Results[T['kind']]

export function perform(task: Task): ResultOf<Task> {
  switch (task.kind) {
    case 'bodies':
      return diffBodies(task.before, task.after)
    case 'scripts':
      return diffScripts(task.before, task.after)
    case 'merge':
      return compareThree(task.mine, task.base, task.theirs)
  }
}
