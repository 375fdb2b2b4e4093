'use client'

import { TextInput } from '@mantine/core'
import Form from 'next/form'
import { SEARCH_CHARACTERS_MAX } from './bounds.ts'
import styles from './search.module.css'

/** Searches the documentation. Without scripts, the browser sends the form itself. */
export function SearchForm() {
  return (
    <Form action="/docs/search" role="search" className={styles.form}>
      <TextInput
        type="search"
        name="q"
        size="sm"
        maxLength={SEARCH_CHARACTERS_MAX}
        aria-label="Search the documentation"
        placeholder="Search"
      />
    </Form>
  )
}
