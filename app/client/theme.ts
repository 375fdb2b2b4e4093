import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

// Gives Mantine the tokens of `app/tokens.css`.

/** Close buttons show only an icon. */
const CLOSE_BUTTON = { closeButtonProps: { 'aria-label': 'Close' } }

/** The colours of Mantine by the token that they take. Their shades are the three of the token. */
const FAMILIES: Record<string, string> = {
  deep: 'accent',
  red: 'failing',
  orange: 'degraded',
  yellow: 'degraded',
  teal: 'passing',
  green: 'passing',
  gray: 'unknown',
  blue: 'notice',
  grape: 'mark',
}

/** In the light scheme, Mantine draws lines and backgrounds with shades of gray, and in the dark one of `dark`. */
const GRAY = shades(
  'sunken',
  'hover',
  'line',
  'line',
  'line-strong',
  'line-strong',
  'text-quiet',
  'text-quiet',
  'text',
  'text',
)
const DARK = shades(
  ...['text', 'text-quiet', 'text-quiet', 'line-strong', 'line', 'hover', 'raised', 'panel', 'page', 'sunken'],
)

/** Mantine has five sizes, and the design has one radius and two shadows. */
const RADIUS = 'var(--radius)'
const [SHADOW, SHADOW_POPOVER] = ['var(--shadow)', 'var(--shadow-popover)']

export const theme = createTheme({
  colors: {
    ...Object.fromEntries(Object.entries(FAMILIES).map(([color, token]) => [color, family(token)])),
    gray: GRAY,
    dark: DARK,
  },
  black: 'var(--text)',
  primaryColor: 'deep',
  primaryShade: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: sizes('font', { xs: 'xs', sm: 'sm', md: 'md', lg: 'lg', xl: 'xl' }),
  fontWeights: { regular: 'var(--weight)', medium: 'var(--weight-strong)', bold: 'var(--weight-strong)' },
  spacing: sizes('space', { xs: '2', sm: '3', md: '4', lg: '5', xl: '8' }),
  radius: { xs: RADIUS, sm: RADIUS, md: RADIUS, lg: RADIUS, xl: RADIUS },
  defaultRadius: 'md',
  shadows: { xs: SHADOW, sm: SHADOW, md: SHADOW_POPOVER, lg: SHADOW_POPOVER, xl: SHADOW_POPOVER },
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: 'var(--weight-strong)',
    sizes: {
      h1: { fontSize: 'var(--font-title)', lineHeight: '1.3' },
      h2: { fontSize: 'var(--font-lg)', lineHeight: '1.4' },
      h3: { fontSize: 'var(--font-md)', lineHeight: '1.4' },
      h4: { fontSize: 'var(--font-sm)', lineHeight: '1.4' },
      h5: { fontSize: 'var(--font-sm)', lineHeight: '1.4' },
      h6: { fontSize: 'var(--font-sm)', lineHeight: '1.4' },
    },
  },
  components: {
    Modal: { defaultProps: CLOSE_BUTTON },
    Drawer: { defaultProps: CLOSE_BUTTON },
    Alert: { defaultProps: { closeButtonLabel: 'Close' } },
    Badge: { defaultProps: { variant: 'light', radius: 'md' } },
    Notification: { defaultProps: CLOSE_BUTTON, styles: { description: { color: 'var(--text-quiet)' } } },
  },
})

function sizes<Size extends string>(kind: string, names: Record<Size, string>): Record<Size, string> {
  return Object.fromEntries(
    Object.entries<string>(names).map(([size, name]) => [size, `var(--${kind}-${name})`]),
  ) as Record<Size, string>
}

function shades(...tokens: string[]): MantineColorsTuple {
  return tokens.map((token) => `var(--${token})`) as unknown as MantineColorsTuple
}

/** From soft to text. `colorsOf` names what Mantine takes for its variants. */
function family(token: string): MantineColorsTuple {
  const [soft, text] = [`${token}-soft`, `${token}-text`]
  return shades(soft, soft, soft, token, token, token, token, token, token, text)
}

/** The colours of Mantine's variants: filled, light, outline, and text. */
function colorsOf(color: string, token: string): Record<string, string> {
  const name = `--mantine-color-${color}`
  const filled = token === 'failing' ? 'danger' : token
  return {
    [`${name}-text`]: `var(--${token}-text)`,
    [`${name}-filled`]: `var(--${filled})`,
    [`${name}-filled-hover`]: filled === token && token !== 'accent' ? `var(--${token})` : `var(--${filled}-hover)`,
    [`${name}-light`]: `var(--${token}-soft)`,
    [`${name}-light-hover`]: `color-mix(in srgb, var(--${token}) 12%, var(--${token}-soft))`,
    [`${name}-light-color`]: `var(--${token}-text)`,
    [`${name}-outline`]: `var(--${token}-text)`,
    [`${name}-outline-hover`]: `var(--${token}-soft)`,
  }
}

const COLORS: Record<string, string> = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-body': 'var(--panel)',
  '--mantine-color-dimmed': 'var(--text-quiet)',
  '--mantine-color-placeholder': 'var(--text-quiet)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-error': 'var(--failing-text)',
  '--mantine-color-success': 'var(--passing-text)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--hover)',
  '--mantine-color-disabled-color': 'var(--text-disabled)',
  '--mantine-color-disabled-border': 'var(--line)',
  ...Object.assign({}, ...Object.entries(FAMILIES).map(([color, token]) => colorsOf(color, token))),
}

/** The tokens know both colour schemes, so that the variables are the same in each. */
export const variables: CSSVariablesResolver = () => ({ variables: {}, light: COLORS, dark: COLORS })
