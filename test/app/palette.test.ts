import { expect, test } from 'vitest'
import type { Command } from '#app/client/commands/commands.ts'
import { entryGroups } from '#app/components/commands/palette-entries.ts'
import type { Finds } from '#server/schemas/status/finds.ts'

const COMMANDS: Command[] = [
  { id: 'color', label: 'Switch between light and dark', group: 'Actions', words: 'theme', run: () => {} },
  { id: 'new', label: 'New service', group: 'Actions', run: () => {} },
]
const SHOP = { id: 'shop', name: 'Theme shop', state: 'failing', projectName: 'Web', workspaceName: 'Acme' }
const FOUND = { services: [SHOP], projects: [], workspaces: [], problems: [] } as unknown as Finds

const titles = (search: string, isStale: boolean) =>
  entryGroups(search, COMMANDS, FOUND, isStale, () => {}).map(({ title }) => title)

test.each([
  ['without a search, what needs attention comes first', '', false, ['Services', 'Actions']],
  ['what a search finds comes before commands', 'theme', false, ['Services', 'Actions']],
  ['commands that begin with the search come first', 'new', false, ['Actions', 'Services']],
  ['results of another search come last, so that Enter does not open them', 'theme', true, ['Actions', 'Services']],
])('%s', (_, search, isStale, order) => {
  expect(titles(search, isStale)).toEqual(order)
})
