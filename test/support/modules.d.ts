// It has no types; `exposition.ts` gives what it returns a type.
declare module 'parse-prometheus-text-format'
