'use client'

import { TextInput } from '@mantine/core'
import Form from 'next/form'
import { useSearchParams } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { SEARCH_CHARACTERS_MAX } from './bounds.ts'

/** Searches the documentation. Without scripts, the browser sends the form itself. */
export function SearchForm() {
  const searched = useSearchParams().get('q') ?? ''
  const field = useRef<HTMLInputElement>(null)
  // The field is part of the frame, which stays from page to page.
  useEffect(() => {
    if (field.current) field.current.value = searched
  }, [searched])
  return (
    <Form action="/docs/search" role="search">
      <TextInput
        ref={field}
        type="search"
        name="q"
        size="sm"
        defaultValue={searched}
        maxLength={SEARCH_CHARACTERS_MAX}
        aria-label="Search the documentation"
        placeholder="Search"
      />
    </Form>
  )
}
