import { useEffect } from 'react'
import { TITLE_TEMPLATE } from './titles.ts'

/** Updates the title that the server rendered, once the data is there and when it changes. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = TITLE_TEMPLATE.replace('%s', () => title)
  }, [title])
}
