import type { Finds } from '#server/schemas/status/finds.ts'
import { statusLabel } from '#server/schemas/status/status-text.ts'
import type { Command } from '../../client/commands/commands.ts'
import { closeness, matchingCommands } from './matches.ts'

/** A line of the palette. */
export type Entry = { id: string; label: string; detail?: string; keys?: string; run: () => void }
export type EntryGroup = { title: string; entries: Entry[] }

/**
 * Returns the lines of the palette by group. Without a search: what the page offers, the services that need attention, and
 * all other commands. With one: what it finds, after commands that begin with it. While `found` belongs to another search,
 * it comes last, so that Enter does not open what the member did not search.
 */
export function entryGroups(
  search: string,
  commands: Command[],
  found: Finds | undefined,
  isFoundStale: boolean,
  open: (path: string) => void,
): EntryGroup[] {
  const text = search.trim().toLowerCase()
  // A palette that offers to open itself would be odd.
  const offered = commands.filter(({ id }) => id !== 'search')
  const matching = text === '' ? offered : matchingCommands(offered, text)
  const groupOf = (title: Command['group']): EntryGroup => ({
    title,
    entries: matching.filter(({ group }) => group === title),
  })
  const page = groupOf('This page')
  const others = [groupOf('Actions'), groupOf('Pages')]
  const results = found ? foundGroups(search.trim(), found, open) : []
  const isCommand = text !== '' && matching.some(({ label }) => closeness(label, text) === 0)
  const groups =
    isCommand || (isFoundStale && text !== '')
      ? [page, ...others, ...results]
      : text === ''
        ? [page, ...results, ...others]
        : [...results, page, ...others]
  return groups.filter(({ entries }) => entries.length > 0)
}

function foundGroups(
  search: string,
  { services, projects, workspaces }: Finds,
  open: (path: string) => void,
): EntryGroup[] {
  const onBoard: Entry = {
    id: 'on-board',
    label: `Show “${search}” on the status board`,
    run: () => open(`/?q=${encodeURIComponent(search)}`),
  }
  return [
    {
      title: 'Services',
      entries: [
        ...services.map(({ id, name, state, projectName, workspaceName }) => ({
          id,
          label: name,
          detail: `${statusLabel(state)} · ${workspaceName} / ${projectName}`,
          run: () => open(`/services/${id}`),
        })),
        ...(search !== '' && services.length > 0 ? [onBoard] : []),
      ],
    },
    {
      title: 'Projects',
      entries: projects.map(({ id, name, workspaceName }) => ({
        id,
        label: name,
        detail: workspaceName,
        run: () => open(`/projects/${id}`),
      })),
    },
    {
      title: 'Workspaces',
      entries: workspaces.map(({ id, name }) => ({ id, label: name, run: () => open(`/workspaces/${id}`) })),
    },
  ]
}
