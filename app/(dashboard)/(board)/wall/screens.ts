/** How many tiles fit on the screen: columns, and rows of small tiles. A large tile takes two rows of its column. */
export type ScreenSize = { columns: number; rows: number }

/** The sizes of the style sheet, in its unit. The unit is a hundredth of the width of a screen of 16 to 9. */
const UNITS = { column: 32, row: 7, gap: 0.7, header: 7.5, footer: 3 }
const UNIT_MIN_PX = 7

/** Returns how many tiles fit into a window. The sides are in CSS pixels. */
export function screenSize(width: number, height: number): ScreenSize {
  const unit = Math.max(UNIT_MIN_PX, Math.min(width / 100, height / 56.25))
  const room = height / unit - UNITS.header - UNITS.footer
  return {
    columns: Math.max(1, Math.floor(width / unit / UNITS.column)),
    rows: Math.max(2, Math.floor((room + UNITS.gap) / (UNITS.row + UNITS.gap))),
  }
}

/** Splits services into screens, in their order. Those that need attention have large tiles. */
export function screensOf<T>(services: T[], isLarge: (service: T) => boolean, { columns, rows }: ScreenSize): T[][] {
  const screens: T[][] = []
  let screen: T[] = []
  let large = 0
  for (const service of services) {
    const takes = isLarge(service) ? 1 : 0
    const cells = screen.length + large + 1 + takes
    if (cells > columns * rows || large + takes > columns * Math.floor(rows / 2)) {
      screens.push(screen)
      screen = []
      large = 0
    }
    screen.push(service)
    large += takes
  }
  return [...screens, screen]
}
