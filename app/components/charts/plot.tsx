'use client'

import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from '../layout/link.tsx'
import { type Column, Columns } from './columns.tsx'
import styles from './plot.module.css'
import type { Axis } from './scale.ts'
import { type Selection, spanOf } from './selection.ts'

/** A point in time with a label. `at` is its share of the width. */
export type Label = { at: number; text: string }
/** A label that leads to what changed. `title` names that for screen readers. */
export type Mark = Label & { href: string; title: string }

/**
 * The frame of a chart over time: axes with units, columns to hover, focus and open, failures and marks. Children are drawn
 * into an SVG of 100 × 100 units. The size does not depend on the data, so nothing moves when it arrives.
 */
export function Plot(props: {
  label: string
  unit: string
  timeUnit: string
  height: number
  axis: Axis
  columns: Column[]
  times: Label[]
  marks?: Mark[]
  /** Shows only the columns from the first number to the last one. */
  onZoom?: ((first: number, last: number) => void) | undefined
  /** Leaves the zoomed part. */
  onReset?: (() => void) | undefined
  children: ReactNode
}) {
  const { axis, columns, times, marks, height, onZoom } = props
  const [active, setActive] = useState<number | null>(null)
  const [selection, setSelection] = useState<Selection | null>(null)
  const share = (value: number) => `${(value / axis.max) * 100}%`
  const left = (at: number) => ({ left: `${at * 100}%` })
  return (
    <div className={styles.plot} data-chart={props.label}>
      <div className={styles.unit}>{props.unit}</div>
      {marks && <Marks marks={marks} />}
      {columns.some(({ failed }) => failed) && <FailureMarks columns={columns} />}
      <div className={styles.values} aria-hidden data-axis>
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
        <FailingColumns columns={columns} />
        <svg className={styles.drawing} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden>
          {props.children}
        </svg>
        <Failures columns={columns} />
        {marks?.map((mark) => (
          <div key={mark.text} className={styles.mark} style={left(mark.at)} aria-hidden />
        ))}
        {selection && <SelectionBox selection={selection} count={columns.length} />}
        <Columns
          label={props.label}
          columns={columns}
          selection={selection}
          onActive={setActive}
          onSelect={setSelection}
          onZoom={
            onZoom &&
            ((chosen) => {
              setSelection(null)
              setActive(null)
              onZoom(...spanOf(chosen))
            })
          }
          onReset={props.onReset}
        />
        {active !== null && <Tooltip columns={columns} active={active} />}
      </div>
      <div className={styles.times} aria-hidden>
        {times.map((time) => (
          <span key={time.at} className={styles.time} style={left(time.at)} data-late={isLate(time) || undefined}>
            {time.text}
          </span>
        ))}
      </div>
      <div className={styles.timeUnit}>
        {props.timeUnit}
        {onZoom && ' Drag to zoom, or Shift with the arrow keys.'}
      </div>
      <VisuallyHidden role="status">{selection ? selectionText(selection, columns) : ''}</VisuallyHidden>
    </div>
  )
}

/** Whether a date would stand out of the chart of a phone on its right. */
function isLate({ at, text }: Label): boolean {
  return at > 0.8 && text.length > 5
}

function Marks({ marks }: { marks: Mark[] }) {
  return (
    <div className={styles.marks}>
      {marks.map(({ text, at, href, title }) => (
        <Link
          key={text}
          href={href}
          className={styles.markText}
          style={{ left: `${at * 100}%` }}
          data-late={at > 0.9 || undefined}
          aria-label={title}
          title={title}
        >
          {text}
        </Link>
      ))}
    </div>
  )
}

/** A row above the chart: a failure among many runs is a bar of few pixels. */
function FailureMarks({ columns }: { columns: Column[] }) {
  return (
    <>
      <div className={styles.failureTitle} aria-hidden>
        Failed
      </div>
      <div className={styles.failureMarks} aria-hidden>
        {columns.map(({ key, failed }, index) =>
          failed ? (
            <span
              key={key}
              className={styles.failureMark}
              style={placeOf(index, columns.length)}
              data-failed={failed}
            />
          ) : null,
        )}
      </div>
    </>
  )
}

/** Behind what is drawn: which columns have a failure. */
function FailingColumns({ columns }: { columns: Column[] }) {
  return columns.map(({ key, failed }, index) =>
    failed ? <div key={key} className={styles.failing} style={placeOf(index, columns.length)} aria-hidden /> : null,
  )
}

/** Drawn in pixels, not in the SVG: narrow and low bars stay visible. */
function Failures({ columns }: { columns: Column[] }) {
  return columns.map(({ key, failed, failedShare }, index) => {
    if (!failed || failedShare === undefined) return null
    const style = { ...placeOf(index, columns.length), height: `${failedShare * 100}%` }
    return <div key={key} className={styles.failures} style={style} data-failures aria-hidden />
  })
}

function placeOf(index: number, count: number) {
  return { left: `${((index + 0.5) / count) * 100}%`, width: `${80 / count}%` }
}

function SelectionBox({ selection, count }: { selection: Selection; count: number }) {
  const [first, last] = spanOf(selection)
  const style = { left: `${(first / count) * 100}%`, width: `${((last + 1 - first) / count) * 100}%` }
  return <div className={styles.selection} style={style} aria-hidden />
}

/** Stands beside its column, on the side with more room. The column itself has the same text for screen readers. */
function Tooltip({ columns, active }: { columns: Column[]; active: number }) {
  const column = columns[active]
  if (!column) return null
  const isLeft = active < columns.length / 2
  const side = isLeft
    ? { left: `calc(${((active + 1) / columns.length) * 100}% + 8px)` }
    : { right: `calc(${(1 - active / columns.length) * 100}% + 8px)` }
  return (
    <div className={styles.tooltip} style={side} data-tooltip aria-hidden>
      <div className={styles.tooltipTitle}>{column.title}</div>
      {column.values.map((value) => (
        <div key={value}>{value}</div>
      ))}
    </div>
  )
}

function selectionText(selection: Selection, columns: Column[]): string {
  const [first, last] = spanOf(selection)
  const bounds = first === last ? columns[first]?.title : `${columns[first]?.title} to ${columns[last]?.title}`
  return `Selected ${bounds}. Enter zooms in, Escape cancels.`
}
