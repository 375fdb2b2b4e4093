/** The vertical axis of a chart, from 0 to `max`. */
export type Axis = { max: number; ticks: number[]; format: (value: number) => string }

const STEPS = [1, 2, 2.5, 5, 10]

/** Returns an axis with two to five round ticks that reaches `highest`. `least` is the smallest distance of ticks. */
export function axisUpTo(highest: number, format: (value: number) => string, least = 0): Axis {
  const rough = Math.max(highest, 1e-9) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(least, (STEPS.find((factor) => factor * power >= rough) ?? 10) * power)
  const count = Math.max(1, Math.ceil(highest / step))
  return { max: count * step, ticks: Array.from({ length: count }, (_, i) => (i + 1) * step), format }
}

/**
 * Returns an SVG path of 100 × 100 units through the values, each in the middle of its column. It is interrupted at null.
 * A value between two nulls is a point.
 */
export function linePath(values: (number | null)[], max: number): string {
  let isDrawing = false
  return values
    .map((value, i) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const x = (((i + 0.5) / values.length) * 100).toFixed(2)
      const y = (100 - (value / max) * 100).toFixed(2)
      const command = isDrawing ? `L${x} ${y}` : `M${x} ${y}h0`
      isDrawing = true
      return command
    })
    .join('')
}

/** A bar of one part of a column, in the 100 × 100 units of the drawing. */
export type Bar = { x: number; width: number; y: number; height: number }

/** Returns the bar from one value to another in a column, which is as wide as the others with a gap. */
export function barOf(index: number, count: number, [from, to]: [from: number, to: number], max: number): Bar {
  const width = 100 / count
  return { x: (index + 0.1) * width, width: width * 0.8, y: 100 - (to / max) * 100, height: ((to - from) / max) * 100 }
}
