import { countsText, type ServiceState, type StateCounts, totalOf } from '#server/schemas/status/states.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'

// Page titles begin with the state, because tabs of a browser show only their first words.

export const TITLE_TEMPLATE = '%s – Soundline'

export function serviceTitle({ state, name }: { state: ServiceState; name: string }): string {
  return `${statusLabel(state)} · ${name}`
}

/** The title of a workspace or project, such as `3 of 8 failing · Shop`. */
export function containerTitle(name: string, counts: StateCounts | null | undefined): string {
  return counts && totalOf(counts) > 0 ? `${countsText(counts)} · ${name}` : name
}

export function incidentTitle({ state, serviceName }: { state: string; serviceName: string }): string {
  return `${state === 'open' ? 'Open' : 'Closed'} incident · ${serviceName}`
}

/** The title of a run, such as `Failed · run of Checkout`. */
export function runTitle(run: { state: string; outcome: string | null }, serviceName: string): string {
  return `${statusLabel(run.outcome ?? run.state)} · run of ${serviceName}`
}

/** The title of a batch, such as `9 of 12 passed · Batch`. */
export function batchTitle({ state, passed, total }: { state: string; passed: number; total: number }): string {
  return `${state === 'done' ? `${passed} of ${total} passed` : 'Running'} · Batch`
}

/** Returns a title with a number before it, such as `(3) Status – Soundline`; without one for none. */
export function titleWith(total: number, title: string): string {
  const bare = title.replace(/^\(\d+\) /, '')
  return total > 0 ? `(${total}) ${bare}` : bare
}
