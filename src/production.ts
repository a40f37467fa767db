// Imported before anything else: graphql-js looks at NODE_ENV once, and unless it says production checks the realm of every type it meets.
process.env.NODE_ENV = 'production';
