'use client'

import { useEffect, useRef, useState } from 'react'
import { Search } from '../icons.ts'
import { TextField } from './text-field.tsx'

const PAUSE_MS = 250

/** A search that takes effect while the member types, a moment after the last letter. `value` is what is searched now. */
export function SearchField(props: {
  label: string
  placeholder: string
  maxLength: number
  value: string
  onSearch: (text: string) => void
}) {
  const { value } = props
  const [text, setText] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searched = useRef(value)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Another search than the last one of this field came from a link, or from "Clear".
  if (value !== searched.current) {
    searched.current = value
    setText(value)
  }
  const search = (next: string) => {
    clearTimeout(timer.current)
    searched.current = next.trim()
    props.onSearch(next.trim())
  }
  return (
    <TextField
      type="search"
      aria-label={props.label}
      placeholder={props.placeholder}
      icon={<Search size={15} aria-hidden />}
      maxLength={props.maxLength}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => search(next), PAUSE_MS)
      }}
      onKeyDown={(event) => event.key === 'Enter' && search(text)}
    />
  )
}
