'use client'

import { ActionIcon } from '@mantine/core'
import { Moon, Sun } from '../icons.ts'
import { useSchemeSwitch } from './use-scheme-switch.ts'

/** Renders both icons, and CSS shows one: the server does not know the chosen scheme. */
export function ColorSchemeToggle() {
  const switchScheme = useSchemeSwitch()
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Switch between light and dark"
      onClick={switchScheme}
    >
      <Moon size={18} className="light-only" aria-hidden />
      <Sun size={18} className="dark-only" aria-hidden />
    </ActionIcon>
  )
}
