import { useNow } from '../../client/now.tsx'
import { elapsedText } from './elapsed-text.ts'

/** Returns a function that writes the time since an instant, as `elapsedText` does. */
export function useElapsedText(): (since: string) => string {
  const now = useNow()
  return (since) => elapsedText(now - Date.parse(since))
}
