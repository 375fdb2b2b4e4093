'use client'

import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, useEffect, useId, useState, useSyncExternalStore } from 'react'
import { SEARCH_MAX } from '#server/schemas/status/search-terms.ts'
import { query } from '../../client/api.ts'
import { commandStore } from '../../client/commands/commands.ts'
import { useMe } from '../../client/me.tsx'
import { CommandDialog } from './command-dialog.tsx'
import styles from './commands.module.css'
import { type Entry, type EntryGroup, entryGroups } from './palette-entries.ts'
import { Keys } from './shortcut-list.tsx'

const TYPING_MS = 120

/** Finds services, projects, workspaces, pages and actions. */
export function Palette({ onClose }: { onClose: () => void }) {
  const me = useMe()
  const router = useRouter()
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const [debounced] = useDebouncedValue(search, TYPING_MS)
  const commands = useSyncExternalStore(commandStore.subscribe, commandStore.current, commandStore.current)
  const found = useQuery({
    ...query('status.find', { q: debounced }),
    placeholderData: keepPreviousData,
    // Until they enrol a second factor, such members can read nothing.
    enabled: !me.totpEnrollmentRequired,
  })
  const isStale = search !== debounced || found.isPlaceholderData
  const groups = entryGroups(search, commands, found.data, isStale, (path) => router.push(path))
  const entries = groups.flatMap((group) => group.entries)
  const at = Math.min(active, entries.length - 1)
  const run = (entry: Entry) => {
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 5, PageUp: Math.max(at - 5, 0) }[event.key]
    const chosen = entries[at]
    if (event.key === 'Enter' && chosen && !event.nativeEvent.isComposing) run(chosen)
    else if (to !== undefined) setActive(to > entries.length - 1 ? 0 : to < 0 ? entries.length - 1 : to)
    else return
    event.preventDefault()
  }
  const chosenId = entries[at] ? `${id}-${entries[at].id}` : undefined
  useEffect(() => {
    if (chosenId) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])
  return (
    <CommandDialog label="Search and commands" onClose={onClose}>
      <input
        className={styles.field}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosenId}
        aria-autocomplete="list"
        aria-label="Search"
        placeholder="Search, or filter: state:failing label:critical"
        autoComplete="off"
        maxLength={SEARCH_MAX}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label="Matches" className={styles.list}>
        {groups.map((group) => (
          <Options key={group.title} id={id} group={group} chosenId={chosenId} onChoose={run} />
        ))}
      </div>
      <p role="status" className={styles.note}>
        {found.data?.problems.join(' ')} {entries.length === 0 && !found.isFetching && 'Nothing found.'}
      </p>
    </CommandDialog>
  )
}

function Options(props: {
  id: string
  group: EntryGroup
  chosenId: string | undefined
  onChoose: (entry: Entry) => void
}) {
  const headingId = `${props.id}-${props.group.title}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox
    <div role="group" aria-labelledby={headingId}>
      <div id={headingId} className={styles.heading}>
        {props.group.title}
      </div>
      {props.group.entries.map((entry) => {
        const optionId = `${props.id}-${entry.id}`
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and its keys choose
          // biome-ignore lint/a11y/useFocusableInteractive: the field names the chosen option by its id
          <div
            key={entry.id}
            id={optionId}
            role="option"
            aria-selected={optionId === props.chosenId}
            className={styles.option}
            onClick={() => props.onChoose(entry)}
          >
            <span className={styles.text}>
              <span className={styles.label}>{entry.label}</span>
              {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
            </span>
            {entry.keys && <Keys keys={entry.keys} />}
          </div>
        )
      })}
    </div>
  )
}
