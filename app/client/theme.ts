import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const deep: MantineColorsTuple = [
  '#e8f6f8',
  '#d3e9ed',
  '#a6d2da',
  '#76bac6',
  '#4fa6b5',
  '#369aab',
  '#2594a6',
  '#148091',
  '#037282',
  '#006371',
]

/** System fonts only: pages load nothing from other sites. */
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif'
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace'

/** Close buttons show only an icon. */
const CLOSE_BUTTON = { closeButtonProps: { 'aria-label': 'Close' } }

export const theme = createTheme({
  colors: { deep },
  primaryColor: 'deep',
  primaryShade: { light: 8, dark: 7 },
  respectReducedMotion: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '650' },
  components: {
    Modal: { defaultProps: CLOSE_BUTTON },
    Drawer: { defaultProps: CLOSE_BUTTON },
    Alert: { defaultProps: { closeButtonLabel: 'Close' } },
    Notification: { defaultProps: CLOSE_BUTTON, styles: { description: { color: 'var(--mantine-color-dimmed)' } } },
  },
})

/** Colours with a text contrast of at least 4.5 to 1, and a page background that differs from the cards. */
export const variables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': theme.colors.gray[7],
    '--page': theme.colors.gray[0],
    ...Object.assign({}, ...TINTED.map(lightTint)),
  },
  dark: {
    '--mantine-color-dimmed': theme.colors.dark[1],
    '--mantine-color-anchor': theme.colors.deep?.[3] ?? '',
    '--page': theme.colors.dark[8],
    '--mantine-color-red-filled': theme.colors.red[9],
    '--mantine-color-red-filled-hover': `color-mix(in srgb, ${theme.colors.red[9]}, black 12%)`,
    ...Object.assign({}, ...TINTED.map(darkTint)),
  },
})

/** The colours of badges and alerts. */
const TINTED = ['red', 'orange', 'teal', 'blue', 'grape', 'gray', 'deep']

function lightTint(color: string): Record<string, string> {
  return { [`--mantine-color-${color}-light-color`]: `color-mix(in srgb, var(--mantine-color-${color}-9) 78%, black)` }
}

/** In the dark scheme: a faint background of the colour with text in its pale shade. */
function darkTint(color: string): Record<string, string> {
  const tint = (share: number) =>
    `color-mix(in srgb, var(--mantine-color-${color}-6) ${share}%, var(--mantine-color-body))`
  return {
    [`--mantine-color-${color}-light`]: tint(16),
    [`--mantine-color-${color}-light-hover`]: tint(24),
    [`--mantine-color-${color}-light-color`]: `var(--mantine-color-${color}-2)`,
  }
}
