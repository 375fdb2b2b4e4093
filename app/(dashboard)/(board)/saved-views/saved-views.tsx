'use client'

import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { mutation, type Output, query } from '../../../client/api.ts'
import { NameDialog } from '../../../components/forms/name-dialog.tsx'
import { Check, Pencil, Plus, Trash2 } from '../../../components/icons.ts'
import { ActionMenu } from '../../../components/menus/action-menu.tsx'
import type { MenuEntry } from '../../../components/menus/menu-entry.ts'
import { type ListAddress, searchWith } from '../../../components/service-list/list-address.ts'
import { Bookmark, Save } from '../../icons.ts'

type View = Output<'status.views.list'>['views'][number]

/** What every member has. */
const BUILT_IN = [
  { name: 'All services', query: '' },
  { name: 'Failing', query: 'state=failing' },
]

/** The views of the board that the member has saved, each with filters, order and columns. */
export function SavedViews({ address }: { address: ListAddress }) {
  const router = useRouter()
  const [open, setOpen] = useState<'save' | 'rename' | null>(null)
  const views = useQuery(query('status.views.list')).data?.views ?? []
  const update = useMutation(mutation('status.views.update'))
  const remove = useMutation(mutation('status.views.remove'))
  const now = queryOf(address)
  const current = views.find((view) => view.query === now) ?? null
  // A view that was opened and then changed can be saved again.
  const [opened, setOpened] = useState<string | null>(null)
  const isKnown = current !== null || BUILT_IN.some(({ query }) => query === now)
  const changed = isKnown ? null : (views.find(({ id }) => id === opened) ?? null)
  const entryOf = ({ name, query, id }: { name: string; query: string; id?: string }): MenuEntry => ({
    label: name,
    end: query === now ? <Check size={15} aria-label="current" /> : null,
    onSelect: () => {
      setOpened(id ?? null)
      router.push(query === '' ? '/' : `/?${query}`)
    },
  })
  const entries: MenuEntry[] = [
    ...BUILT_IN.map(entryOf),
    ...(views.length > 0 ? [{ heading: 'Your views' }, ...views.map(entryOf)] : []),
    ...(views.length === 0 && isKnown ? [{ heading: 'To save a view, search, filter or sort first' }] : []),
    'divider',
    ...(changed
      ? [
          {
            label: `Update ${changed.name} to this`,
            icon: <Save size={15} aria-hidden />,
            onSelect: () => update.mutate({ id: changed.id, query: now }),
          },
        ]
      : []),
    ...(current
      ? entriesOf(
          current,
          () => setOpen('rename'),
          () => remove.mutate({ id: current.id }),
        )
      : []),
    ...(isKnown
      ? []
      : [{ label: 'Save this view', icon: <Plus size={15} aria-hidden />, onSelect: () => setOpen('save') }]),
  ]
  if (entries.at(-1) === 'divider') entries.pop()
  const title = current?.name ?? BUILT_IN.find(({ query }) => query === now && query !== '')?.name ?? 'Views'
  const close = () => setOpen(null)
  return (
    <>
      <ActionMenu entries={entries}>
        {(target) => (
          <Button
            variant="default"
            maw={220}
            leftSection={<Bookmark size={15} aria-hidden />}
            aria-label={title === 'Views' ? 'Views' : `Views, ${title} is open`}
            {...target}
          >
            {title}
          </Button>
        )}
      </ActionMenu>
      {open === 'save' && (
        <NameDialog
          path="status.views.create"
          title="Save this view"
          submitLabel="Save view"
          toInput={(name) => ({ name, query: now })}
          onClose={close}
          onDone={({ id }) => {
            setOpened(id)
            close()
          }}
        />
      )}
      {open === 'rename' && current && (
        <NameDialog
          path="status.views.update"
          title="Rename view"
          submitLabel="Rename"
          initialName={current.name}
          toInput={(name) => ({ id: current.id, name })}
          onClose={close}
          onDone={close}
        />
      )}
    </>
  )
}

function entriesOf({ name }: View, onRename: () => void, onRemove: () => void): MenuEntry[] {
  return [
    { label: `Rename ${name}`, icon: <Pencil size={15} aria-hidden />, onSelect: onRename },
    { label: `Delete ${name}`, icon: <Trash2 size={15} aria-hidden />, color: 'red', onSelect: onRemove },
  ]
}

/** What a view keeps of the address: not the page, nor what is closed. */
function queryOf(address: ListAddress): string {
  return searchWith(address, { page: undefined, closed: undefined }).slice(1)
}
