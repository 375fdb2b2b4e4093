'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { SEARCH_MAX } from '#server/schemas/status/search-terms.ts'
import { Search } from '../icons.ts'
import { TextField } from '../inputs/text-field.tsx'
import classes from './toolbar.module.css'

const PAUSE_MS = 250

/**
 * Filters the list while a member types. `status` says how many services match; `problems` what of the text was not
 * understood.
 */
export function SearchBox(props: {
  q: string
  onSearch: (q: string) => void
  status: string | null
  problems: string[]
}) {
  const { q, onSearch } = props
  const [text, setText] = useState(q)
  const hint = useId()
  /** The newest search, and those that the address does not show yet. */
  const latest = useRef(q)
  const pending = useRef<string[]>([])
  const search = useRef(onSearch)
  search.current = onSearch
  // Another address, such as that of a saved view, brings its own text. One that was typed here may come late.
  useEffect(() => {
    const at = pending.current.indexOf(q)
    pending.current = pending.current.slice(at + 1)
    if (at !== -1 || q === latest.current) return
    latest.current = q
    setText(q)
  }, [q])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === latest.current) return
    const timer = setTimeout(() => {
      latest.current = wanted
      pending.current.push(wanted)
      search.current(wanted)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={classes.search}>
      <TextField
        type="search"
        name="q"
        aria-label="Search services"
        placeholder="Search names, URLs, hosts, labels"
        title="Searches names, URLs, hosts and labels. Terms narrow it: state:failing label:critical host:shop.example"
        icon={<Search size={15} aria-hidden />}
        maxLength={SEARCH_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        aria-invalid={props.problems.length > 0}
        aria-describedby={hint}
      />
      <p id={hint} role="status" className={classes.hint}>
        {[props.status, ...props.problems].filter(Boolean).join(' ')}
      </p>
    </div>
  )
}
