/** The shop's mark: a leaf resting in a bowl. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#17594a"/><path d="M6.5 16.5h19a9.5 9.5 0 0 1-19 0Z" fill="#f3f6f1"/><path d="M15.6 14.2c-.6-4.6 2-7.7 7.2-8.2.4 5-2.2 8.2-7.2 8.2Z" fill="#9fd3b5"/></svg>`
