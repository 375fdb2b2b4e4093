'use client'

import { type KeyboardEvent, type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Link } from '../layout/link.tsx'
import styles from './plot.module.css'
import type { Selection } from './selection.ts'

/** A bucket of a chart. `href` opens its runs. */
export type Column = {
  key: string
  /** The time that it covers, with the zone. */
  title: string
  values: string[]
  href?: string
  /** How many failed in it. */
  failed?: number
  /** Their share of the axis, where a bar shows them. */
  failedShare?: number
}

type Props = {
  label: string
  columns: Column[]
  selection: Selection | null
  onActive: (index: number | null) => void
  onSelect: (selection: Selection | null) => void
  onZoom?: ((selection: Selection) => void) | undefined
  onReset?: (() => void) | undefined
}

/** A shorter movement of the mouse is a click. */
const DRAG_MIN_PX = 6

/**
 * One tab stop; the arrow keys move between the columns, Enter opens the runs of one. With Shift, or by dragging, columns
 * are selected to zoom in. Escape cancels, and leaves the zoomed part.
 */
export function Columns(props: Props) {
  const { columns, selection, onActive, onSelect, onZoom, onReset } = props
  const [current, setCurrent] = useState<number | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const last = columns.length - 1
  const stop = Math.min(current ?? last, last)
  const keepFocus = useFocusAfterZoom(box, stop, columns[0]?.key, columns.length)
  const drag = useDrag(box, columns.length, props)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      if (selection) return onSelect(null)
      if (onReset) keepFocus()
      return onReset?.()
    }
    if (event.key === 'Enter' && selection && onZoom) {
      event.preventDefault()
      keepFocus()
      return onZoom(selection)
    }
    const steps: Record<string, number> = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: last }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    if (next < 0 || next > last) return
    onSelect(event.shiftKey && onZoom ? { anchor: selection?.anchor ?? stop, end: next } : null)
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
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        onActive(null)
        onSelect(null)
      }}
      onMouseLeave={() => onActive(null)}
      {...drag}
    >
      {columns.map(({ key, title, values, href }, index) => {
        const shared = {
          className: styles.column,
          style: { left: `${(index / columns.length) * 100}%`, width: `${100 / columns.length}%` },
          'aria-label': `${title}: ${values.join(', ')}`,
          tabIndex: index === stop ? 0 : -1,
          draggable: false,
          onMouseEnter: () => onActive(index),
          onFocus: () => {
            setCurrent(index)
            onActive(index)
          },
        }
        return href ? <Link key={key} href={href} {...shared} /> : <span key={key} role="img" {...shared} />
      })}
    </div>
  )
}

/** Moves the focus to the new columns after a zoom by key: the focused one is gone. Returns the function to call before. */
function useFocusAfterZoom(box: { current: HTMLDivElement | null }, stop: number, ...shown: unknown[]): () => void {
  const isDue = useRef(false)
  const what = shown.join()
  const before = useRef(what)
  useEffect(() => {
    if (before.current === what) return
    before.current = what
    if (isDue.current) (box.current?.children[stop] as HTMLElement | undefined)?.focus()
    isDue.current = false
  }, [box, stop, what])
  return () => {
    isDue.current = true
  }
}

/** Selects columns by dragging the mouse, and zooms when it is released. By touch, a page scrolls. */
function useDrag(box: { current: HTMLDivElement | null }, count: number, { onActive, onSelect, onZoom }: Props) {
  const start = useRef<{ index: number; x: number } | null>(null)
  const hasMoved = useRef(false)
  const indexAt = (x: number) => {
    const { left, width } = (box.current as HTMLDivElement).getBoundingClientRect()
    return Math.max(0, Math.min(count - 1, Math.floor(((x - left) / width) * count)))
  }
  if (!onZoom) return {}
  return {
    onPointerDown: (event: PointerEvent) => {
      hasMoved.current = false
      if (event.button === 0 && event.pointerType !== 'touch') {
        start.current = { index: indexAt(event.clientX), x: event.clientX }
      }
    },
    onPointerMove: (event: PointerEvent) => {
      if (!start.current) return
      if (!hasMoved.current && Math.abs(event.clientX - start.current.x) < DRAG_MIN_PX) return
      if (!hasMoved.current) box.current?.setPointerCapture(event.pointerId)
      hasMoved.current = true
      const end = indexAt(event.clientX)
      onActive(end)
      onSelect({ anchor: start.current.index, end })
    },
    onPointerUp: (event: PointerEvent) => {
      const from = start.current
      start.current = null
      if (from && hasMoved.current) onZoom({ anchor: from.index, end: indexAt(event.clientX) })
    },
    onPointerCancel: () => {
      start.current = null
      onSelect(null)
    },
    // The click that ends a drag opens nothing.
    onClickCapture: (event: MouseEvent) => {
      if (!hasMoved.current) return
      event.preventDefault()
      event.stopPropagation()
      hasMoved.current = false
    },
  }
}
