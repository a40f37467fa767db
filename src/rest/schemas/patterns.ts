// Patterns of names and keys in schemas. They are upstream's, because callers see these texts.

export const uuidPattern = '^[0-9a-fA-F-]{36}$';
export const namePattern = '^[A-Z0-9_]+$';
export const customNamePattern = '^CUSTOM_[A-Z0-9_]+$';
export const numberSuffix = '[1-9][0-9]*';
export const wordSuffix = '[a-zA-Z0-9_-]{1,64}';
