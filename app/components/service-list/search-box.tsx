'use client'

import { useId } from 'react'
import { SEARCH_MAX } from '#server/schemas/status/search-terms.ts'
import { SearchField } from '../inputs/search-field.tsx'
import classes from './toolbar.module.css'

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
  const hint = useId()
  return (
    <div className={classes.search}>
      <SearchField
        name="q"
        aria-label="Search services"
        placeholder="Search names, URLs, hosts, labels"
        title="Searches names, URLs, hosts and labels. Terms narrow it: state:failing label:critical host:shop.example"
        maxLength={SEARCH_MAX}
        value={props.q}
        onSearch={props.onSearch}
        aria-invalid={props.problems.length > 0}
        aria-describedby={hint}
      />
      <p id={hint} role="status" className={classes.hint}>
        {[props.status, ...props.problems].filter(Boolean).join(' ')}
      </p>
    </div>
  )
}
