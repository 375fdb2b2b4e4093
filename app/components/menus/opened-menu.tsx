'use client'

import { Menu } from '@mantine/core'
import { type ReactElement, useEffect, useState } from 'react'
import { Link } from '../layout/link.tsx'
import type { MenuEntry } from './menu-entry.ts'

/** The menu behind `ActionMenu`, opened once it is loaded: the click that loaded it asked for it. */
export function OpenedMenu(props: { entries: MenuEntry[]; width?: number | undefined; children: ReactElement }) {
  const [opened, setOpened] = useState(false)
  // Only a menu that opens after its first render remembers where the focus was.
  useEffect(() => setOpened(true), [])
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      // It would be a focusable child of the menu that is no item.
      withInitialFocusPlaceholder={false}
      withinPortal
      {...(props.width === undefined ? {} : { width: props.width })}
    >
      <Menu.Target>{props.children}</Menu.Target>
      <Menu.Dropdown>
        {props.entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries of an open menu keep their order
          <Entry key={index} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'divider') return <Menu.Divider />
  if ('heading' in entry) return <Menu.Label>{entry.heading}</Menu.Label>
  if ('onToggle' in entry) {
    return (
      <Menu.CheckboxItem checked={entry.isChecked} onChange={entry.onToggle}>
        {entry.label}
      </Menu.CheckboxItem>
    )
  }
  if ('onSelect' in entry) {
    return (
      <Menu.Item
        leftSection={entry.icon}
        rightSection={entry.end}
        color={entry.color}
        // Mantine's own shade has too little contrast.
        {...(entry.color && { style: { color: `var(--mantine-color-${entry.color}-light-color)` } })}
        disabled={entry.disabled}
        onClick={entry.onSelect}
      >
        {entry.label}
      </Menu.Item>
    )
  }
  if (entry.download) {
    return (
      <Menu.Item component="a" href={entry.href} download leftSection={entry.icon}>
        {entry.label}
      </Menu.Item>
    )
  }
  return (
    <Menu.Item component={Link} href={entry.href} leftSection={entry.icon} rightSection={entry.end}>
      {entry.label}
    </Menu.Item>
  )
}
