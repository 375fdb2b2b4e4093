'use client'

import { Button } from '@mantine/core'
import { csvOf } from '#server/schemas/results/csv-text.ts'
import { Download } from '../icons.ts'

/** Downloads what a chart shows as CSV. The first row has the titles of the columns, with their units. */
export function CsvButton({ of, name, rows }: { of: string; name: string; rows: () => (string | number | null)[][] }) {
  const download = () => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([csvOf(rows())], { type: 'text/csv;charset=utf-8' }))
    link.download = `${name}.csv`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Download size={14} aria-hidden />}
      aria-label={`Download ${of} as CSV`}
      onClick={download}
    >
      CSV
    </Button>
  )
}
