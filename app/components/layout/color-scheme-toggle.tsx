'use client'

import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Moon, Sun } from 'lucide-react'

/** Renders both icons, and CSS shows one: the server does not know the chosen scheme. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: true })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Switch between light and dark"
      onClick={() => setColorScheme(shown === 'dark' ? 'light' : 'dark')}
    >
      <Moon size={18} className="light-only" aria-hidden />
      <Sun size={18} className="dark-only" aria-hidden />
    </ActionIcon>
  )
}
