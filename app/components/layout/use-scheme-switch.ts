import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'

/** Returns a function that switches between light and dark. */
export function useSchemeSwitch(): () => void {
  const { setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: true })
  return () => setColorScheme(shown === 'dark' ? 'light' : 'dark')
}
