'use client'

import { CloseButton, Group, Kbd, Title } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { type Command, commandStore } from '../../client/commands/commands.ts'
import { CommandDialog } from './command-dialog.tsx'
import styles from './commands.module.css'

/** The keyboard shortcuts of the page, by group. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const commands = useSyncExternalStore(commandStore.subscribe, commandStore.current, commandStore.current)
  const byGroup = Map.groupBy(
    commands.filter(({ keys }) => keys !== undefined),
    ({ group }) => group,
  )
  return (
    <CommandDialog label="Keyboard shortcuts" onClose={onClose}>
      <Group justify="space-between" p="md" pb={0}>
        <Title order={2} fz="lg">
          Keyboard shortcuts
        </Title>
        <CloseButton aria-label="Close" onClick={onClose} />
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list must scroll by keyboard */}
      <section className={styles.shortcuts} tabIndex={0} aria-label="Shortcuts">
        {[...byGroup].map(([group, own]) => (
          <section key={group}>
            <h3 className={styles.heading}>{group}</h3>
            <dl>
              {own.map((command) => (
                <Shortcut key={command.id} {...command} />
              ))}
              {group === 'Actions' && <Shortcut label="Search from anywhere" keys="Ctrl+K" />}
            </dl>
          </section>
        ))}
      </section>
    </CommandDialog>
  )
}

function Shortcut({ label, keys }: Pick<Command, 'label' | 'keys'>) {
  return (
    <div className={styles.shortcut}>
      <dt>{label}</dt>
      <dd>
        <Keys keys={keys ?? ''} />
      </dd>
    </div>
  )
}

/** The keys of a shortcut, one after the other. */
export function Keys({ keys }: { keys: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      {keys.split(' ').map((key, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a shortcut keep their order
        <Kbd key={index} size="xs">
          {key}
        </Kbd>
      ))}
    </Group>
  )
}
