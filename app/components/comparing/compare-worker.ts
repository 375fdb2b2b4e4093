import { perform, type Task } from './tasks.ts'

// Comparisons run in a thread of the browser, which the page ends when one takes too long.

self.onmessage = ({ data }: MessageEvent<Task>) => self.postMessage(perform(data))
