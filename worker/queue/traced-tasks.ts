import type { TaskList } from 'graphile-worker'
import { currentTracing, inSpan } from '#server/process/tracing.ts'

/** Returns the tasks, each of which runs in a span of its own if OpenTelemetry is on. */
export function traceTasks(tasks: TaskList): TaskList {
  if (!currentTracing()) return tasks
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      async (payload, helpers) => {
        await inSpan(`job ${name}`, { kind: 'consumer' }, async () => task?.(payload as never, helpers))
      },
    ]),
  )
}
