'use client'

import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { Link } from '../layout/link.tsx'
import styles from './plot.module.css'
import type { Axis } from './scale.ts'

/** A bucket of a chart. `text` says its values; `href` opens its runs. */
export type Column = { key: string; text: string; href?: string }
/** A point in time with a label. `at` is its share of the width. */
export type Label = { at: number; text: string }

/**
 * The frame of a chart over time: axes with units, columns to hover, focus and open, and marks. Children are drawn into an
 * SVG of 100 × 100 units. The size does not depend on the data, so nothing moves when it arrives.
 */
export function Plot(props: {
  label: string
  unit: string
  timeUnit: string
  height: number
  axis: Axis
  columns: Column[]
  times: Label[]
  marks?: Label[]
  children: ReactNode
}) {
  const { axis, columns, times, marks = [], height } = props
  const [active, setActive] = useState<number | null>(null)
  const share = (value: number) => `${(value / axis.max) * 100}%`
  const left = (at: number) => ({ left: `${at * 100}%` })
  return (
    <div className={styles.plot}>
      <div className={styles.unit}>{props.unit}</div>
      <div className={styles.values} aria-hidden>
        {axis.ticks.map((tick) => (
          <span key={tick} className={styles.value} style={{ bottom: share(tick) }}>
            {axis.format(tick)}
          </span>
        ))}
      </div>
      <div className={styles.area} style={{ height }}>
        {axis.ticks.map((tick) => (
          <div key={tick} className={styles.line} style={{ bottom: share(tick) }} />
        ))}
        <svg className={styles.drawing} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {props.children}
        </svg>
        {marks.map((mark) => (
          <div key={mark.text} className={styles.mark} style={left(mark.at)} aria-hidden>
            <span className={styles.markText}>{mark.text}</span>
          </div>
        ))}
        <Columns label={props.label} columns={columns} onActive={setActive} />
      </div>
      <div className={styles.times} aria-hidden>
        {times.map((time) => (
          <span key={time.at} className={styles.time} style={left(time.at)} data-late={isLate(time) || undefined}>
            {time.text}
          </span>
        ))}
      </div>
      <div className={styles.readout} aria-hidden>
        {active === null ? props.timeUnit : columns[active]?.text}
      </div>
    </div>
  )
}

/** Whether a date would stand out of the chart of a phone on its right. */
function isLate({ at, text }: Label): boolean {
  return at > 0.8 && text.length > 5
}

/** One tab stop; the arrow keys move between the columns. */
function Columns(props: { label: string; columns: Column[]; onActive: (index: number | null) => void }) {
  const { columns, onActive } = props
  const [current, setCurrent] = useState<number | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const last = columns.length - 1
  const stop = Math.min(current ?? last, last)
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: last }
    const next = steps[event.key]
    if (next === undefined || next < 0 || next > last) return
    event.preventDefault()
    setCurrent(next)
    ;(box.current?.children[next] as HTMLElement | undefined)?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of links is no fieldset
    <div
      ref={box}
      role="group"
      className={styles.columns}
      aria-label={props.label}
      onKeyDown={onKeyDown}
      onMouseLeave={() => onActive(null)}
    >
      {columns.map(({ key, text, href }, index) => {
        const shared = {
          className: styles.column,
          style: { left: `${(index / columns.length) * 100}%`, width: `${100 / columns.length}%` },
          'aria-label': text,
          tabIndex: index === stop ? 0 : -1,
          onMouseEnter: () => onActive(index),
          onFocus: () => onActive(index),
          onBlur: () => onActive(null),
        }
        return href ? <Link key={key} href={href} {...shared} /> : <span key={key} role="img" {...shared} />
      })}
    </div>
  )
}
