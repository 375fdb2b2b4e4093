'use client'

import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react'
import { Search } from '../icons.ts'
import { TextField } from './text-field.tsx'

const PAUSE_MS = 250

type Props = Omit<ComponentProps<typeof TextField>, 'onSearch'> & {
  /** What the address searches now. */
  value: string
  onSearch: (text: string) => void
}

/**
 * A search that takes effect while a member types: a moment after the last letter, or when the member leaves it. The text
 * is the browser's: React would take back letters that are typed while the page is being drawn.
 */
export function SearchField({ value, onSearch, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null)
  /** The newest search, and those that the address does not show yet. */
  const latest = useRef(value)
  const pending = useRef<string[]>([])
  const search = () => {
    const wanted = input.current?.value.trim()
    if (wanted === undefined || wanted === latest.current) return
    latest.current = wanted
    pending.current.push(wanted)
    onSearch(wanted)
  }
  const searchNow = useEffectEvent(search)
  useEffect(() => {
    const element = input.current
    let timer: number
    const searchSoon = () => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => searchNow(), PAUSE_MS)
    }
    element?.addEventListener('input', searchSoon)
    // The server's page can be typed into before its scripts run.
    searchSoon()
    return () => {
      window.clearTimeout(timer)
      element?.removeEventListener('input', searchSoon)
    }
  }, [])
  // Another address, such as that of a saved view, brings its own text. One that was typed here may come late.
  useEffect(() => {
    const at = pending.current.indexOf(value)
    pending.current = pending.current.slice(at + 1)
    if (at !== -1 || value === latest.current) return
    latest.current = value
    if (input.current) input.current.value = value
  }, [value])
  return (
    <TextField
      type="search"
      icon={<Search size={15} aria-hidden />}
      {...field}
      ref={input}
      defaultValue={value}
      // A search that takes effect later would cancel the link that the member presses now.
      onBlur={search}
      onKeyDown={(event) => event.key === 'Enter' && search()}
    />
  )
}
