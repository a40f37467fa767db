// The consumers with what they hold, or only the leftovers: those that hold resources on several hosts and have not changed for an hour.
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useReach } from '../../data/viewer.ts';
import { printQuery, readQuery } from '../../formats/query-state.ts';
import layout from '../../parts/page.module.css';
import { ConsumerList } from './consumer-list.tsx';

const keys = ['left', 'project', 'user', 'type', 'aggregate'] as const;
const hour = 3_600_000;

export default function ConsumersPage() {
  const [, navigate] = useLocation();
  const search = useSearch();
  const state = readQuery(keys, search);
  const parameters = new URLSearchParams(search);
  const reach = useReach();
  // One moment for as long as the page is open, so that all pages belong to one list.
  const [hourAgo] = useState(() => new Date(Date.now() - hour).toISOString());
  const filter = {
    ...(state.left === '1' && { onSeveralRoots: true, updatedBefore: hourAgo }),
    ...(state.project !== '' && { projects: [state.project] }),
    ...(state.user !== '' && { users: [state.user] }),
    ...(state.type !== '' && { consumerTypes: [state.type] }),
    ...(state.aggregate !== '' && { aggregates: [state.aggregate] }),
  };
  return (
    <>
      <div className={layout.head}>
        <h1>Consumers</h1>
      </div>
      <form
        key={JSON.stringify(state)}
        className={layout.filters}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const filled = Object.fromEntries(keys.map((key) => [key, String(form.get(key) ?? '').trim()]));
          navigate(`/consumers?${printQuery({ ...filled, order: parameters.get('order') ?? '' })}`);
        }}
      >
        <label>
          Project
          <input name="project" defaultValue={state.project} />
        </label>
        <label>
          User
          <input name="user" defaultValue={state.user} />
        </label>
        <label>
          Type
          <input name="type" defaultValue={state.type} placeholder="INSTANCE" />
        </label>
        {reach === 'cloud' && (
          <>
            <label>
              Aggregate (uuid)
              <input name="aggregate" defaultValue={state.aggregate} />
            </label>
            <label className={layout.check}>
              <input name="left" type="checkbox" value="1" defaultChecked={state.left === '1'} />
              Leftovers only
            </label>
          </>
        )}
        <button type="submit">Show</button>
      </form>
      {state.left === '1' && (
        <p className={layout.muted}>
          They hold resources on several hosts and have not changed for an hour: usually a migration that was not cleaned up.
        </p>
      )}
      <ConsumerList filter={filter} title="consumers" heading={(count) => <p>{count} consumers</p>} isOfLeftovers={state.left === '1'} />
    </>
  );
}
