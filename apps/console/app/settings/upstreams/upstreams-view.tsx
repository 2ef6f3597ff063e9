'use client';

import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@spillway/client';
import { browserApi, dataOf } from '@/ui/access/browser-api';
import { arrivedAt } from '@/ui/lists/arrived-at';
import table from '@/ui/lists/table.module.css';
import classes from '../settings.module.css';
import { EditUpstream } from './edit-upstream';
import { providers } from './providers';
import { RemoveUpstream } from './remove-upstream';

/** All APIs, each with the project's own upstream or the server's. */
export function UpstreamsView({ first }: { first: Schemas['UpstreamList'] }) {
  const upstreams = useQuery({
    queryKey: ['upstreams'],
    queryFn: ({ signal }) => dataOf(browserApi.GET('/v1/upstreams', { signal })),
    initialData: first,
    initialDataUpdatedAt: arrivedAt(first),
  });
  return (
    <div className={classes.section}>
      <p className={classes.lead}>
        The proxies and chat call models here, with the project’s own key. An API without an upstream uses the
        server’s provider, with the server’s list of models. Summaries are always written by the server’s
        provider.
      </p>
      <div className={classes.sideways} tabIndex={0} role="group" aria-label="Upstreams">
        <table className={table.table}>
          <thead>
            <tr>
              <th>API</th>
              <th>Address</th>
              <th>Key</th>
              <th>Models</th>
              <th aria-label="Actions" />
            </tr>
          </thead>
          <tbody>
            {providers.map((provider) => {
              const own = upstreams.data.data.find((one) => one.provider === provider.name) ?? null;
              return (
                <tr key={provider.name}>
                  <td>{provider.label}</td>
                  <td>
                    {own ? <span className="mono">{own.base_url}</span> : <Dim>the server’s provider</Dim>}
                  </td>
                  <td>{own && (own.has_key ? 'stored' : <Dim>none</Dim>)}</td>
                  <td>{own && (own.models.join(', ') || <Dim>all</Dim>)}</td>
                  <td className={`${table.right} ${table.action}`}>
                    <span className={classes.chips} style={{ justifyContent: 'flex-end' }}>
                      <EditUpstream provider={provider} of={own} />
                      {own && <RemoveUpstream provider={provider} />}
                    </span>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const Dim = ({ children }: { children: string }) => <span className="dim">{children}</span>;
