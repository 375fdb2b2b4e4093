declare module 'swagger-ui-dist/absolute-path.js' {
  /** The folder of the package. */
  function absolutePath(): string
  export = absolutePath
}
