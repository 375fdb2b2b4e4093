/** The platform's variable scopes, outermost first. Importing `SCRIPT_SCOPES` would load the database schema. */
export const VARIABLE_SCOPES = ['o', 'w', 'p', 's']
