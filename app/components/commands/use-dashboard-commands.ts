import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { type Command, useCommands } from '../../client/commands/commands.ts'
import { useMe } from '../../client/me.tsx'
import { useSchemeSwitch } from '../layout/use-scheme-switch.ts'
import { pagesFor } from '../navigation/pages.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Offers what a member can do on every page: open the pages of the navigation, and a few actions. */
export function useDashboardCommands(open: { openPalette: () => void; openShortcuts: () => void }): void {
  const me = useMe()
  const router = useRouter()
  const { mutate: signOut } = useSignOut()
  const switchScheme = useSchemeSwitch()
  const { openPalette, openShortcuts } = open
  const commands = useMemo((): Command[] => {
    const pages = pagesFor(me).flatMap(({ pages }) => pages)
    return [
      ...(me.mayCreateServices
        ? [
            {
              id: 'new-service',
              label: 'New service',
              group: 'Actions' as const,
              keys: 'c',
              words: 'create add monitor check',
              run: () => router.push('/services/new'),
            },
          ]
        : []),
      {
        id: 'color-scheme',
        label: 'Switch between light and dark',
        group: 'Actions',
        words: 'theme mode color',
        run: switchScheme,
      },
      {
        id: 'shortcuts',
        label: 'Keyboard shortcuts',
        group: 'Actions',
        keys: '?',
        words: 'help keys',
        run: openShortcuts,
      },
      { id: 'search', label: 'Search', group: 'Actions', keys: '/', run: () => focusSearchField() || openPalette() },
      { id: 'sign-out', label: 'Sign out', group: 'Actions', words: 'log out logout', run: () => signOut(undefined) },
      ...pages.map(({ href, label, keys, words }) => ({
        id: href,
        label,
        group: 'Pages' as const,
        ...(keys ? { keys } : {}),
        ...(words ? { words } : {}),
        run: () => router.push(href),
      })),
    ]
  }, [me, router, signOut, switchScheme, openPalette, openShortcuts])
  useCommands(commands)
}

/** Pages with a search field of their own are searched there. Returns whether the page has one. */
function focusSearchField(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  return field !== null
}
